import { refuse, type Refusal } from '#contract/errors.ts';
import { EMAIL_MAX_CHARACTERS } from '#contract/limits.ts';
import { isUntilLifted } from '#contract/time.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';

declare const URL: { new (text: string): { hostname: string }; canParse(text: string): boolean };

/** RFC 5321 4.5.3.1.1. */
const LOCAL_PART_MAX = 64;

/** Local part in lower case, domain in ASCII. The contract's field has refused lists and quotes (docs/security.md A6). */
export function canonicalEmail(typed: string): string | undefined {
  const at = typed.lastIndexOf('@');
  // `URL` would also accept a port, a path or an escape.
  const origin = `http://${typed.slice(at + 1)}`;
  if (
    at < 1 ||
    at > LOCAL_PART_MAX ||
    /[^\p{L}\p{M}\p{N}.-]/u.test(typed.slice(at + 1)) ||
    !URL.canParse(origin)
  )
    return undefined;
  const domain = new URL(origin).hostname;
  const address = `${typed.slice(0, at).toLowerCase()}@${domain}`;
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*[a-z0-9]$/.test(domain) && address.length <= EMAIL_MAX_CHARACTERS
    ? address
    : undefined;
}

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

export const emailOrRefusal = (typed: string, wireName: string): string | Refusal<'invalid_input'> =>
  canonicalEmail(typed) ?? refuse('invalid_input', { fields: { [wireName]: fieldText.email } });

export const refuseUnoffered = (offered: readonly string[], language: string) =>
  offered.includes(language)
    ? undefined
    : refuse('invalid_input', { fields: { language: areaFieldText.language } });

/** The block of an account as sign-in reports it. A deactivation comes first because it ends later. */
export function blockOf(state: {
  deletion_due_at: Date | null;
  restricted_until: Date | null;
}): Refusal<'account_is_disable'> | undefined {
  if (state.deletion_due_at)
    return refuse('account_is_disable', { reason: 'deactivated', until: state.deletion_due_at });
  if (state.restricted_until)
    return refuse('account_is_disable', {
      reason: 'restricted',
      ...(!isUntilLifted(state.restricted_until) && { until: state.restricted_until }),
    });
  return undefined;
}

/** The URL of a person's picture. The download checks whether the caller may see it. */
export const pictureUrl = (fileId: string) => `/drive/profile?file_id=${fileId}`;
