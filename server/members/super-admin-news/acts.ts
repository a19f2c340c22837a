import type { ActIn, Details } from '#contract/activity/recorded.ts';
import { whyNot } from '#contract/members/authority.ts';
import { Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import {
  type Admin,
  type OrgCaller,
  type SuperAdminMatter,
  superAdminUnderLock,
} from '#server/members/actions.ts';
import { findCaller } from '#server/members/standing/data.ts';
import { type News, type SuperAdminPage, tellSuperAdmins } from './actions.ts';

export type SuperAdmin = OrgCaller & { readonly fullName: string; readonly confirmed: boolean };

/** An act as it was done: its row of the log, the mail to the Super Admins, and the answer. */
export type Done<Answer> = {
  readonly act: ActIn<'organization'>;
  readonly recordId?: number;
  readonly information: Details;
  readonly news?: ((names: { readonly organization: string; readonly person: string }) => News) | undefined;
  readonly page: SuperAdminPage;
  readonly answer: Answer;
};

/** An act of a Super Admin: it runs under the organization's lock, is recorded, and told to all of them. */
export const actAsSuperAdmin = <A, R extends RefusalName>(
  deps: Deps,
  actor: SuperAdmin,
  matter: SuperAdminMatter,
  run: (tx: Tx, caller: Admin) => Promise<Done<A> | Refusal<R>>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, actor, actor, matter);
    if (caller instanceof Refusal) return caller;
    const done = await run(tx, caller);
    if (done instanceof Refusal) return done;
    const { orgId, userId, fullName: person } = actor;
    const { act, recordId, information, news, page, answer } = done;
    await recordActivity(tx, deps, act, { orgId, userId, recordId, information });
    const told = news?.({ organization: caller.organization, person });
    if (told) await tellSuperAdmins(tx, deps, caller, told, page);
    return answer;
  });

/** Why the caller may not see the matter. */
export async function whyHidden({ sql }: Deps, { orgId, userId }: OrgCaller, matter: SuperAdminMatter) {
  const caller = await findCaller(sql, orgId, userId);
  if (!caller) return refuse('org_not_found');
  return whyNot(caller, matter) ? refuse('super_admin_only', matter) : undefined;
}
