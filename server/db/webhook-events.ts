import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { WebhookEvent } from '#contract/webhooks.ts';
import type { MemberId, OrgId } from '#contract/wire.ts';
import { INVITATIONS_FROM } from '#server/stand-in.ts';

type Announcement = {
  readonly event: WebhookEvent;
  readonly person: number | null;
  readonly subject: string;
  readonly lane: number;
  readonly data: object;
};
type Row = {
  readonly orgId: OrgId | null;
  readonly createdAt: Date;
  /** The invitation that the change ended. */
  readonly endedInvitation: MemberId | null;
};

/** An announcement as values of a prepared statement. */
export const eventValues = (announcement: Announcement | undefined, createdAt: Date) => ({
  event: announcement?.event ?? '',
  subject: announcement?.subject ?? '',
  lane: announcement?.lane ?? 0,
  person: announcement?.person ?? null,
  data: JSON.stringify(announcement?.data ?? {}),
  timestamp: createdAt.toISOString(),
});
export type Event = Row & ReturnType<typeof eventValues>;

/**
 * Writes the event for each subscribed webhook. An organization sees an invited person under the id of their
 * invitation only; applications of the suite know people by their subject.
 */
export const insertEvents = (row: Event) => sql<{ id: number }>`(
  insert into webhook_deliveries (webhook_id, event, subject, lane, payload, created_at, next_try_at)
  select webhooks.id, ${row.event}::text, ${row.subject}::text, ${row.lane}::smallint,
    jsonb_build_object('type', ${row.event}::text, 'timestamp', ${row.timestamp}::text, 'data',
      ${row.data}::jsonb
      || case when ${row.person}::bigint is null then '{}' else jsonb_build_object('user_id', coalesce(
        ${sql.lit(INVITATIONS_FROM)} + coalesce(${row.endedInvitation}::bigint, (
          select id from memberships where user_id = ${row.person}::bigint and org_id = ${row.orgId}::bigint
            and status = ${sql.lit(MEMBER_STATUS.invited)})),
        ${row.person}::bigint)) end
      || case when ${row.person}::bigint is null or webhooks.org_id is not null then '{}' else jsonb_build_object('sub', (
        select subject from subjects where user_id = ${row.person}::bigint)) end),
    ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
  from webhooks
  where (webhooks.org_id is null or webhooks.org_id = ${row.orgId}::bigint) and switched_off_at is null
    and (events = '{}' or ${row.event}::text = any (events))
  returning id)`;
