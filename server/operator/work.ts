import type { ActName, acts } from '#contract/operator/acts.ts';
import type { LookData } from '#contract/operator/looks.ts';
import type { InputOf, OutputOf, Subject } from '#contract/operator/act.ts';
import type { Refusal } from '#contract/errors.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { ReadingDeps } from '#server/open.ts';
import type { ApplicationRow } from './data-applications.ts';
import type { FoundPerson } from './data.ts';
import type { OperatorAct } from '#server/registry/registry.ts';
import type { Webhook } from '#server/webhooks/endpoints/data.ts';

type Acts = typeof acts;
type Found = {
  readonly person: FoundPerson;
  readonly application: ApplicationRow;
  readonly webhook: Webhook;
};
type On<N extends ActName> = Acts[N] extends { readonly on: infer S extends Subject } ? Found[S] : undefined;

/** A change at work, in the transaction that writes its row of the log. */
export type Work<S = unknown> = OperatorAct & { readonly tx: Tx; readonly deps: Deps; readonly on: S };
/** An answer: lines for people, data for programs. */
export type Shown<Data = unknown> = {
  readonly lines: readonly string[];
  readonly data: Data;
  readonly isFailure?: boolean;
};

type Change<N extends ActName> = (
  work: Work<On<N>>,
  input: InputOf<Acts[N]>,
) => Promise<OutputOf<Acts[N]> | Refusal>;
type Look<N extends ActName> = (
  deps: ReadingDeps,
  input: InputOf<Acts[N]>,
  on: On<N>,
) => Promise<Shown<LookData<N>> | Refusal>;

export type Changes = {
  readonly [N in ActName as Acts[N] extends { readonly row: string } ? N : never]: Change<N>;
};
export type Looks = {
  readonly [
    N in ActName as Acts[N] extends { readonly row: string } | { readonly byCommand: true } ? never : N
  ]: Look<N>;
};
