import { sql } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { WebhookEvent } from '#contract/webhooks/calls.ts';
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
  readonly createdAt: Date;
  /** The invitation that the change ended. */
  readonly endedInvitation?: MemberId | undefined;
};

/** An announcement as one value, because each value of a statement costs, and most sites have no webhook. */
export const eventJson = (announcement: Announcement | undefined, { createdAt, endedInvitation }: Row) =>
  announcement ? JSON.stringify({ ...announcement, endedInvitation, timestamp: createdAt }) : '';
export type Event = { readonly orgId: OrgId | null; readonly event: string };

/** An organization sees an invited person under the id of the invitation; the suite knows people by their subject. */
export const insertEvents = ({ event, orgId }: Event) => sql<{ id: number }>`(
  insert into webhook_deliveries (webhook_id, event, subject, lane, payload, created_at, next_try_at)
  select webhooks.id, said.event, said.subject, said.lane,
    jsonb_build_object('type', said.event, 'timestamp', said.timestamp, 'data', said.data
      || case when person is null then '{}' else jsonb_build_object('user_id', coalesce(
        ${sql.lit(INVITATIONS_FROM)} + coalesce(said."endedInvitation", (
          select id from memberships where user_id = person and memberships.org_id = (said.data->>'org_id')::bigint
            and status = ${sql.lit(MEMBER_STATUS.invited)})),
        person)) end
      || case when person is null or webhooks.org_id is not null then '{}' else jsonb_build_object('sub', (
        select subjects.subject from subjects where user_id = person)) end),
    said.timestamp::timestamptz, said.timestamp::timestamptz
  from webhooks
    cross join lateral jsonb_to_record(${event}::jsonb) as said (event text, subject text, lane smallint,
      person bigint, data jsonb, timestamp text, "endedInvitation" bigint)
  where (webhooks.org_id is null or webhooks.org_id = ${orgId}::bigint) and switched_off_at is null
    and (events = '{}' or said.event = any (events))
  returning id)`;
