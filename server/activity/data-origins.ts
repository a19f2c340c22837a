import { type QueryCreator, sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import type { Tables } from '#server/db/tables.ts';
import { UNKNOWN_LOCATION } from '#server/locations.ts';

export type Client = { readonly ipAddress: string; readonly browser: string; readonly system: string };
type WithAddedRow = QueryCreator<Tables & { added: { id: number; user_id: UserId } }>;
/** Also stores the client of an act, in the statement that adds its row. The location is that of the person's latest session with the same IP address. */
export const withOrigin = (statement: WithAddedRow, { ipAddress, browser, system }: Client) =>
  statement
    .insertInto('activity_origins')
    .columns(['activity_id', 'user_id', 'ip_address', 'browser', 'system', 'location'])
    .expression((query) =>
      query.selectFrom('added').select((row) => [
        'id',
        'user_id',
        row.val(ipAddress).as('ip_address'),
        row.val(browser).as('browser'),
        row.val(system).as('system'),
        sql<string>`coalesce((select location from sessions
            where sessions.user_id = added.user_id and sessions.ip_address = ${ipAddress}
            order by sessions.created_at desc limit 1), ${UNKNOWN_LOCATION})`.as('location'),
      ]),
    );
