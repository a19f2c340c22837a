import { REMEMBERED_DAYS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';
import { type LocatedClient, traceOf } from '#server/sessions/actions.ts';
import { deleteRemembered, insertRemembered, listRemembered, type RememberedStep } from './data.ts';
import { readUserAgent } from '#server/user-agent.ts';

type Remembered = { readonly device: string; readonly step: RememberedStep; readonly client: LocatedClient };
export async function rememberBrowser(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  { device, step, client }: Remembered,
) {
  await insertRemembered(tx, {
    device,
    user_id: userId,
    second_step: step,
    ip_address: client.ipAddress,
    user_agent: client.userAgent,
    location: client.location,
    created_at: deps.clock.now(),
    expires_at: fromNow(deps.clock, REMEMBERED_DAYS * DAY_MS),
  });
  await recordActivity(tx, deps, 'person.rememberedBrowser.create', {
    userId,
    information: traceOf(client, 'begins'),
  });
}

export async function listRememberedBrowsers(deps: Deps, userId: UserId, device: string | undefined) {
  const rows = await listRemembered(deps.sql, userId, deps.clock.now());
  const current = device === undefined ? undefined : sha256(device);
  return rows.map(({ deviceHash, userAgent, ...row }) => {
    const { browser, system } = readUserAgent(userAgent);
    const isCurrent = current?.equals(Buffer.from(deviceHash)) ?? false;
    return { ...row, browserName: browser, systemName: system, isCurrent };
  });
}

export const forgetBrowsers = (deps: Deps, userId: UserId, id: string | undefined) =>
  transaction(deps.sql, async (tx) => {
    const rows = await deleteRemembered(tx, userId, id);
    const [row] = rows;
    if (row)
      await recordActivity(tx, deps, 'person.rememberedBrowser.delete', {
        userId,
        information: rows.length > 1 ? undefined : traceOf(row, 'ends'),
      });
    return {};
  });
