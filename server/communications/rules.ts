import { browserWords } from '#contract/browser-words.ts';
import type { NotificationKind } from '#contract/communications.ts';
import { notifiedText as text } from '#contract/text/notifications.ts';
import { fill } from '#contract/text.ts';

/** A notification as it is stored, with what its reader may open now. */
export type Told = {
  readonly kind: NotificationKind;
  readonly details: Readonly<Record<string, string>>;
  /** The organization it leads to, while the reader is an active member there; with whether they are an admin. */
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

/** What it says. An invitation's names are those of today, which the caller brings. */
export const wordsOf = ({ kind, details }: Told): string => words[kind]((name) => details[name] ?? '');

/** Where it leads, if anywhere that serves the reader now; one's own pages open in the organization one works in. */
export function linkOf({ kind, urlName, isAdmin }: Told, here: string | undefined): string | undefined {
  if (kind === 'new_device') return here === undefined ? undefined : `/${here}/signindevices`;
  if (urlName === null) return undefined;
  if (kind === 'role_changed') return `/${urlName}/myprofile`;
  return kind === 'invitation_answered' && isAdmin ? `/${urlName}/organization` : undefined;
}
