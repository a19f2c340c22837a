import type { Act, ActIn, Details, Log } from '#contract/activity/recorded.ts';
import { memberColumns } from '#contract/members/calls.ts';
import type { OrganizationEvent, WebhookEvent } from '#contract/webhooks/calls.ts';

/** Deliveries of one lane go in order. A webhook has this many lanes, and the database repeats the number. */
export const LANES = 8;

type TypeIn<L extends Log> =
  ActIn<L> extends infer A ? (A extends `${L}.${infer T}.${string}` ? T : never) : never;
type ActionIn<L extends Log, T extends string> =
  ActIn<L> extends infer A ? (A extends `${L}.${T}.${infer Action}` ? Action : never) : never;
type EventsOf<L extends Log, E> = {
  readonly [T in TypeIn<L>]: { readonly [A in ActionIn<L, T>]: E | null } | null;
};

/** The event of each act in an organization's log; null means none. */
const ofOrganization: EventsOf<'organization', OrganizationEvent> = {
  invitedContact: { invite: 'member.invited', update: 'member.changed', delete: 'member.ended' },
  invitationAnswer: { create: 'member.joined', delete: 'member.ended' },
  // Pictures are for people, and the names of their files open them.
  profileInformation: { update: 'member.changed', upload: null, delete: null },
  // A member pauses while their account waits for its erasure, and returns or ends with it.
  deleteAccount: { delete: 'member.changed', change: 'member.changed' },
  roleInformation: { create: 'role.created', update: 'role.changed', delete: 'role.deleted' },
  permission: { update: 'role.changed' },
  // No webhook exists before its organization.
  organizationInformation: { create: null, update: 'organization.changed' },
  applicationInformation: { update: 'organization.changed', upload: null },
  // Receivers need not know how the organization is administered.
  directoryToken: null,
  directoryGroup: null,
  directoryUser: null,
  ownApplication: null,
  webhook: null,
  connectedApplication: null,
  auditLog: null,
  organizationData: null,
  companyDomain: null,
  companyConnection: null,
  joining: { create: null, update: 'member.joined', delete: null },
};

/** The same for webhooks of the suite. */
const ofPerson: EventsOf<'person', WebhookEvent> = {
  // An application learns of a person at their first visit.
  profileInformation: { create: null, update: 'person.changed', upload: null, delete: null },
  contactInformation: { update: 'person.changed', change: 'person.changed', delete: 'person.changed' },
  deleteAccount: { delete: 'person.deleted', change: 'person.changed' },
  // How people sign in is nobody else's business. The ends of sessions are announced by a trigger.
  password: null,
  signInDevice: null,
  signIn: null,
  twoStep: null,
  stepUp: null,
  passkey: null,
  authenticatorApp: null,
  recoveryCode: null,
  rememberedBrowser: null,
  emailNotification: null,
  terms: null,
  dataExport: null,
  connectedApplication: null,
  auditLog: null,
};
const ofOperator: EventsOf<'operator', WebhookEvent> = {
  signIn: { change: 'person.restricted' },
  password: null,
  // The row in the person's own log announces it.
  contactInformation: null,
  deleteAccount: { change: 'person.changed' },
  signInDevice: null,
  twoStep: null,
  suiteApplication: null,
  webhook: null,
  auditLog: null,
};
const events = { organization: ofOrganization, person: ofPerson, operator: ofOperator };

export const announcedEvents = new Set(
  Object.values(events).flatMap((types) => Object.values(types).flatMap((acts) => Object.values(acts ?? {}))),
);

type Announced = Exclude<WebhookEvent, 'sessions.ended'>;
type Subject = Announced extends infer E ? (E extends `${infer S}.${string}` ? S : never) : never;
/** The fields in events, by their subject. Rights of a role have dotted names. */
export const fields: Readonly<Record<Subject, readonly string[]>> = {
  member: [...Object.keys(memberColumns), 'email', 'role', 'status', 'country', 'time_zone'],
  role: ['name', 'is_admin', 'moved_to', 'moved'],
  organization: [
    'name',
    'description',
    'website',
    'employee_count',
    'application_name',
    'second_step_rule',
    'second_step_from',
    'language',
  ],
  person: [
    'first_name',
    'last_name',
    'designation',
    'country',
    'time_zone',
    'language',
    'email',
    'contact_number',
    'confirmed',
    'restricted_until',
    'due_at',
  ],
};
const isRight = (field: string) => /^\w+\.\d+\.\w+$/.test(field);

type Row = {
  readonly orgId: number | null;
  readonly userId: number;
  readonly recordId: number | null;
  readonly information: Details;
};
export type Announcement = {
  readonly event: WebhookEvent;
  /** The person that the event is about; null for roles and organizations. */
  readonly person: number | null;
  readonly subject: string;
  readonly lane: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The event that a new row of the log announces, without a person's id, which differs by receiver. */
export function announcementOf(
  act: Act,
  { orgId, userId, recordId, information }: Row,
): Announcement | undefined {
  const [log, type = '', action = ''] = act.split('.') as [Log, string?, string?];
  const types: Readonly<Record<string, Readonly<Record<string, WebhookEvent | null>> | null>> = events[log];
  const named = types[type]?.[action];
  if (!named) return undefined;
  const [about] = named.split('.') as [Subject];
  const known = Object.entries(information).filter(
    ([field]) => fields[about].includes(field) || (about === 'role' && isRight(field)),
  );
  if (named.endsWith('.changed') && known.length === 0) return undefined;
  const event = type === 'deleteAccount' ? eventOfDeletion(orgId, information) : named;
  const isOfPerson = about === 'member' || about === 'person';
  const id = recordId ?? userId;
  return {
    event,
    person: isOfPerson ? id : null,
    subject: `${isOfPerson ? 'user' : about} ${id}`,
    lane: id % LANES,
    data: {
      ...(orgId !== null && { org_id: orgId }),
      ...(about === 'role' && { role_id: id }),
      changes: Object.fromEntries(known),
    },
  };
}

/** An account first waits for its erasure, and its memberships pause. Then both end. */
function eventOfDeletion(orgId: number | null, { status, due_at: dueAt }: Details) {
  if (orgId === null) return dueAt === undefined ? 'person.deleted' : 'person.changed';
  return Array.isArray(status) && status[1] === null ? 'member.ended' : 'member.changed';
}
