import type { Refusal } from '#contract/errors.ts';
import type { ActName } from '#contract/operator/acts.ts';
import type { Deps } from '#server/deps.ts';
import type { ReadingDeps } from '#server/open.ts';
import {
  applicationChanges,
  applicationLooks,
  storeIcon,
} from '#server/operator/applications/applications.ts';
import { companyChanges, companyLooks } from '#server/operator/company/company.ts';
import { operatorChanges, operatorLooks } from '#server/operator/operators/operators.ts';
import { peopleChanges, peopleLooks } from '#server/operator/people/people.ts';
import { countMailAgain } from '#server/operator/people/resend.ts';
import { findLost, sendTestMail, siteChanges, siteLooks } from '#server/operator/site/site.ts';
import { sendTestEvent, webhookChanges, webhookLooks } from '#server/operator/webhooks/webhooks.ts';
import { endWaits } from '#server/sign-in/waits/data.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import type { Changes, Looks, Shown } from '#server/operator/work.ts';

const changes: Changes = {
  ...peopleChanges,
  ...applicationChanges,
  ...webhookChanges,
  ...companyChanges,
  ...siteChanges,
  ...operatorChanges,
};
const looks: Looks = {
  ...peopleLooks,
  ...applicationLooks,
  ...webhookLooks,
  ...companyLooks,
  ...siteLooks,
  ...operatorLooks,
};

type Look = (deps: ReadingDeps, input: never, on: never) => Promise<Shown | Refusal>;
export type Change = (work: never, input: never) => Promise<object | Refusal>;
export const lookNamed = (name: ActName): Look | undefined => (looks as Readonly<Record<string, Look>>)[name];
export const changeNamed = (name: ActName): Change => changes[name as keyof Changes];

type Before = (deps: Deps, input: never, on: never) => Promise<object | Refusal>;
/** Slow work of some acts, ahead of the transaction. Its result joins the input. */
export const before: { readonly [N in ActName]?: Before } = {
  'applications add': storeIcon,
  'applications edit': storeIcon,
  restore: findLost,
  settle: findLost,
  resend: countMailAgain,
};

/** Waits for another server, after the transaction. */
type After = (deps: Deps, input: never, on: never) => Promise<Shown>;
export const after: { readonly [N in ActName]?: After } = {
  'mails test': sendTestMail,
  'webhooks test': sendTestEvent,
};

/** Runs once the transaction has ended. Counters may lie in Redis, or behind the embedded database's one connection. */
export const onceDone: { readonly [N in ActName]?: (deps: Deps, on: never) => Promise<void> } = {
  lift: (deps: Deps, { email }: FoundPerson) => endWaits(deps, email),
};
