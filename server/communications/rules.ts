import { placeWords } from '#contract/profile/place-words.ts';
import { browserWords } from '#contract/sessions/browser-words.ts';
import type { NotificationKind } from '#contract/communications/calls.ts';
import { profileSections } from '#contract/profile/sections.ts';
import { notifiedText as text } from '#words/notified.ts';

/** A stored notification, with its organization as the reader may open it now. */
export type NotificationWords = {
  readonly kind: NotificationKind;
  readonly details: Readonly<Record<string, string>>;
  /** The organization's URL name, if the reader is an active member there. */
  readonly urlName: string | null;
  readonly isAdmin: boolean | null;
};

const changes: Readonly<Record<string, string>> = text.wayInChanged;
const words: Record<NotificationKind, (detail: (name: string) => string) => string> = {
  invitation: (detail) =>
    text.invitation({
      inviter: detail('inviter'),
      organization: detail('organization'),
      role: detail('role'),
    }),
  invitation_answered: (detail) =>
    (detail('accepted') === 'yes' ? text.joined : text.declined)({
      name: detail('name'),
      organization: detail('organization'),
    }),
  role_changed: (detail) => text.roleChanged({ organization: detail('organization'), role: detail('role') }),
  new_device: (detail) =>
    detail('place')
      ? text.newDevice({
          browser: browserWords({ browser: detail('browser'), system: detail('system') }),
          place: placeWords(detail('place')),
        })
      : text.newDeviceSomewhere({
          browser: browserWords({ browser: detail('browser'), system: detail('system') }),
        }),
  second_step_asked: (detail) => text.secondStepAsked({ organization: detail('organization') }),
  way_in_changed: (detail) => changes[detail('change')] ?? text.someWayInChanged,
  address_to_confirm: (detail) => text.addressToConfirm({ email: detail('email') }),
  deletion_scheduled: () => text.deletionScheduled,
  operator_looked: () => text.operatorLooked,
};

/** Calling code passes an invitation's current names in `details`. */
export const notificationTextOf = ({ kind, details }: NotificationWords): string =>
  words[kind]((name) => details[name] ?? '');

const waysIn = `myprofile#${profileSections.waysIn}`;
const ownPages: { readonly [K in NotificationKind]?: string } = {
  new_device: 'signindevices',
  way_in_changed: waysIn,
  address_to_confirm: `myprofile#${profileSections.contact}`,
};

/** The link to a page that this reader may open now. Their own pages open in the current organization. */
export function linkOf(
  { kind, urlName, isAdmin }: NotificationWords,
  current: string | undefined,
): string | undefined {
  const own = current === undefined ? undefined : ownPages[kind];
  if (own) return `/${current}/${own}`;
  if (urlName === null) return undefined;
  if (kind === 'role_changed') return `/${urlName}/myprofile`;
  if (kind === 'second_step_asked') return `/${urlName}/${waysIn}`;
  return kind === 'invitation_answered' && isAdmin ? `/${urlName}/organization` : undefined;
}
