import type { Details } from '#contract/activity/recorded.ts';
import { publicAddress } from '#contract/applications/registration.ts';
import { addressText } from '#words/address.ts';
import type { OrgId } from '#contract/wire.ts';

/** Outside production, a receiver on this machine can be tried out. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$)/;

/** The message for an address that an organization may not use; undefined if it may. */
export const problemOfAddress = (url: string, isProduction: boolean) =>
  (!isProduction && loopback.test(url)) || publicAddress.safeParse(url).success
    ? undefined
    : addressText.publicAddress;

type Settings = { readonly url: string; readonly description: string; readonly events: readonly string[] };
/** A list is one text, so that equal lists compare as equal. A webhook of the suite has no description. */
export const recordedSettings = (
  { url, description, events }: Settings,
  owner: OrgId | null,
  isRemoved: boolean,
): Details => ({
  url,
  ...(owner !== null && { description }),
  ...((owner !== null || !isRemoved) && { events: events.join(', ') }),
});

/** Signing secrets as Standard Webhooks writes them. */
export const SECRET_PREFIX = 'whsec_';
