import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import {
  type communications,
  type NotificationId,
  notificationTypeNames,
} from '#contract/communications/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { NOTIFICATIONS_PAGE } from '#contract/limits.ts';
import { fieldText } from '#words/field.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { findFacts, findOrganizations } from '#server/access/data.ts';
import { sortOrganizations } from '#server/access/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import {
  countUnread,
  listNotifications,
  markRead,
  type Range,
  type StoredNotification,
} from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { getPreferences, storePreference } from './data.ts';
import { linkOf, notificationTextOf } from './rules.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { listInvitations } from '#server/members/joining/actions.ts';
import { hideIds, revealId } from '#server/opaque-ids.ts';

export const readPreferences = ({ sql }: Deps, userId: UserId) => getPreferences(sql, userId);

/** Sets which mails the person wants. Omitted types stay as they are. */
export const setPreferences = (
  deps: Deps,
  userId: UserId,
  input: Input<typeof communications.setPreferences>,
) =>
  transaction(deps.sql, async (tx) => {
    if (Object.keys(input).length === 0)
      return refuse('invalid_input', { fields: { 1: fieldText.required } });
    await lockAccount(tx, userId, deps.clock.now());
    const before = await getPreferences(tx, userId);
    const edits = changes(before, input as Partial<typeof before>);
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    for (const name of notificationTypeNames)
      if (edits[name]) await storePreference(tx, userId, NOTIFICATION_TYPE[name], input[name] ?? false);
    await recordActivity(tx, deps, 'person.emailNotification.update', { userId, information: edits });
    return getPreferences(tx, userId);
  });

type Reader = { readonly userId: UserId; readonly sessionId: SessionId; readonly confirmed: boolean };

/** A page of the panel. Links to the person's own pages open in the given organization. */
export async function readPanel(
  deps: Deps,
  caller: Reader,
  orgId: OrgId | undefined,
  after?: NotificationId,
) {
  const { userId, sessionId } = caller;
  const invitations = await listInvitations(deps, caller);
  const facts = await findFacts(deps.sql, sessionId);
  const organizations = sortOrganizations(facts, deps.clock.now());
  const reader = { userId, pending: invitations.map(({ id }) => id), ...organizations };
  const current = facts.memberships.find((one) => one.orgId === orgId && one.isActive);
  const rows = await listNotifications(deps.sql, reader, after && revealId(deps.keys, 'notification', after));
  const page = rows.slice(0, NOTIFICATIONS_PAGE);
  const itemOf = ({ memberId, details, ...row }: StoredNotification) => {
    const invitation = invitations.find(({ id }) => id === memberId);
    const names = invitation && {
      inviter: invitation.invitedBy,
      organization: invitation.organization,
      role: invitation.role,
    };
    const news = { ...row, details: names ?? details };
    const link = linkOf(news, current?.urlName);
    return {
      id: row.id,
      kind: row.kind,
      text: notificationTextOf(news),
      ...(link !== undefined && { link }),
      createdAt: row.createdAt,
      isRead: row.readAt !== null,
    };
  };
  const notifications = hideIds(deps.keys, 'notification', page.map(itemOf));
  return {
    notifications,
    unread: await countUnread(deps.sql, reader),
    next: rows.length > page.length ? (notifications.at(-1)?.id ?? null) : null,
  };
}

export async function readRange(deps: Deps, caller: Reader, orgId: OrgId | undefined, shown: Range) {
  const revealed = (id: NotificationId) => revealId(deps.keys, 'notification', id);
  const range = { from: shown.from && revealed(shown.from), upTo: revealed(shown.upTo) };
  const { userId, sessionId } = caller;
  const now = deps.clock.now();
  const pending = (await listInvitations(deps, caller)).map(({ id }) => id);
  await transaction(deps.sql, async (tx) => {
    const organizations = await findOrganizations(tx, { sessionId, now });
    await markRead(tx, { userId, now, pending, ...organizations }, range);
  });
  return readPanel(deps, caller, orgId);
}
