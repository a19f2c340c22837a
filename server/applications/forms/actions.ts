import { findRecord, insertRecord } from '#server/applications/records/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken } from '#server/keys.ts';

const FORM = 'PostedForm';

/** Keeps a posted request for the redirect that repeats it; returns its id. A network has a budget, because strangers post. */
export async function keepForm(deps: Deps, form: string, network: string) {
  const tooMany = await deps.limiter.take('openRequestsHour', network);
  if (tooMany) return tooMany;
  const id = randomToken();
  // The form may contain an ID token, so its parameters must not appear in an address.
  const payload = { query: new URLSearchParams(form).toString() };
  const expiresAt = fromNow(deps.clock, MINUTE_MS);
  await insertRecord(deps, { kind: FORM, id, payload, expiresAt });
  return id;
}

/** The parameters of a kept request; empty after a minute. */
export async function findForm(deps: Deps, id: string): Promise<string> {
  const record = await findRecord(deps, FORM, id);
  return (record?.payload as { readonly query: string } | undefined)?.query ?? '';
}
