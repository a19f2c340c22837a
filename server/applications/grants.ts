import { logFor } from '#contract/activity/recorded.ts';
import type { connectedApplications } from '#contract/applications/connected.ts';
import { type Scope, SCOPES } from '#contract/applications/registration.ts';
import type { Input } from '#contract/endpoint.ts';
import { nameList } from '#contract/list-words.ts';
import { accessText } from '#words/access.ts';
import { mailText } from '#words/mail.ts';
import { findOrganizations } from '#server/access/data.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import {
  type ConnectedRow,
  deleteGrant,
  type Grant,
  listGrants,
  type NewGrant,
  takeSignIns,
  upsertGrant,
} from './data-grants.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { noticeOf } from '#server/mail/frame.ts';
import { hideIds, revealId } from '#server/opaque-ids.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';

export const connectedNotice = (application: string, scopes: readonly Scope[]) =>
  noticeOf('applications', mailText.connected, () => ({ application, access: inWords(scopes) }));

const inOrder = (scopes: readonly string[]) => SCOPES.filter((scope) => scopes.includes(scope));

type NewAccess = NewGrant & {
  readonly application: string;
  /** Whether it belongs neither to the suite nor to the person's organization. */
  readonly isForeign: boolean;
};

/** Lets an application use a person's account, and records and mails new access; undefined without an account. */
export const giveAccess = (deps: Deps, access: NewAccess): Promise<Grant | undefined> =>
  transaction(deps.sql, async (tx) => {
    const { userId, orgId, application, now } = access;
    // The lock serialises two first visits, so that one of them records the access.
    const account = await lockAccount(tx, userId, now);
    if (!account) return undefined;
    const { before, ...grant } = await upsertGrant(tx, access);
    const scopes = inOrder(grant.scopes);
    const isNew = before === null;
    if (!isNew && before.length === scopes.length) return grant;
    const act = `${logFor(orgId)}.connectedApplication.${isNew ? 'create' : 'update'}` as const;
    await recordActivity(tx, deps, act, {
      userId,
      orgId,
      information: {
        application: isNew ? [null, application] : application,
        access: [before && inOrder(before), scopes],
        asked: access.consented,
      },
    });
    if (access.isForeign && account.confirmed_at)
      await mailNotice(tx, deps, account, connectedNotice(application, scopes));
    return grant;
  });

const inWords = (scopes: readonly Scope[]) => nameList(scopes.map((scope) => accessText[scope]));

export const listConnected = async (deps: Deps, caller: SessionOwner) =>
  connectedOf(deps, await grantsOf(deps.sql, deps, caller));

async function grantsOf(sql: Db, { clock }: Deps, { userId, sessionId }: SessionOwner) {
  const { open, isWhole } = await findOrganizations(sql, { sessionId, now: clock.now() });
  return listGrants(sql, { userId, open, isWhole });
}

const connectedOf = ({ keys }: Deps, rows: readonly ConnectedRow[]) =>
  hideIds(keys, 'grant', rows).map((row) => ({ ...row, scopes: inOrder(row.scopes) }));

/** Ends an application's access to the person's account: its tokens end, and it gets logout tokens. */
export const removeAccess = (
  deps: Deps,
  caller: SessionOwner,
  input: Input<typeof connectedApplications.removeAccess>,
) =>
  transaction(deps.sql, async (tx) => {
    // A concurrent visit to the application waits for the lock and then asks the person again.
    const { userId } = caller;
    const now = deps.clock.now();
    await lockAccount(tx, userId, now);
    const grants = await grantsOf(tx, deps, caller);
    const grant = grants.find(({ id }) => id === revealId(deps.keys, 'grant', input.id));
    // Another window may have removed it.
    if (!grant) return connectedOf(deps, grants);
    await deleteGrant(tx, grant.id);
    for (const { sid, subject } of await takeSignIns(tx, userId, grant))
      await enqueue(tx, deps, {
        kind: 'sign-out',
        payload: { application: grant.applicationId, sid, subject },
        lane: `sign-out ${grant.applicationId}`,
      });
    const { orgId } = grant;
    await recordActivity(tx, deps, `${logFor(orgId)}.connectedApplication.delete`, {
      userId,
      orgId,
      information: { application: [grant.name, null], access: [inOrder(grant.scopes), null] },
    });
    return connectedOf(
      deps,
      grants.filter(({ id }) => id !== grant.id),
    );
  });
