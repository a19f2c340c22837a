import { browserWords } from '#contract/browser-words.ts';
import type { NotificationKind } from '#contract/communications.ts';
import { notifiedText as text } from '#contract/text/notifications.ts';
import { fill } from '#contract/text.ts';

/** A stored notification, with its organization as the reader may open it now. */
export type NotificationWords = {
  readonly kind: NotificationKind;
  readonly details: Readonly<Record<string, string>>;
  /** The organization's URL name, if the reader is an active member there. */
  readonly urlName: string | null;
  readonly isAdmin: boolean | null;
};

type Names = (name: string) => string;
const words: Record<NotificationKind, (named: Names) => string> = {
  invitation: (named) =>
    fill(text.invitation, {
      inviter: named('inviter'),
      organization: named('organization'),
      role: named('role'),
    }),
  invitation_answered: (named) =>
    fill(named('accepted') === 'yes' ? text.joined : text.declined, {
      name: named('name'),
      organization: named('organization'),
    }),
  role_changed: (named) =>
    fill(text.roleChanged, { organization: named('organization'), role: named('role') }),
  new_device: (named) =>
    fill(named('place') ? text.newDevice : text.newDeviceSomewhere, {
      browser: browserWords({ browser: named('browser'), system: named('system') }),
      place: named('place'),
    }),
  address_to_confirm: (named) => fill(text.addressToConfirm, { email: named('email') }),
  deletion_scheduled: () => text.deletionScheduled,
};

/** An invitation shows current names, so the calling code passes these in `details`. */
export const wordsOf = ({ kind, details }: NotificationWords): string =>
  words[kind]((name) => details[name] ?? '');

/** The link to a page that this reader may open now. The devices page opens in the organization `here`. */
export function linkOf(
  { kind, urlName, isAdmin }: NotificationWords,
  here: string | undefined,
): string | undefined {
  if (kind === 'new_device') return here === undefined ? undefined : `/${here}/signindevices`;
  if (urlName === null) return undefined;
  if (kind === 'role_changed') return `/${urlName}/myprofile`;
  return kind === 'invitation_answered' && isAdmin ? `/${urlName}/organization` : undefined;
}
