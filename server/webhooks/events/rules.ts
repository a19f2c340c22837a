import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import type { OrganizationEvent, WebhookEvent } from '#contract/webhooks/calls.ts';

/** Deliveries of one lane go in order. A webhook has this many lanes, and the database repeats the number. */
export const LANES = 8;

type Act = `${keyof typeof ACTIVITY_TYPE}.${keyof typeof ACTION}`;

/** The event of each row in an organization's log; null means none. */
const ofOrganization: Readonly<Partial<Record<Act, OrganizationEvent | null>>> = {
  'invitedContact.invite': 'member.invited',
  'invitedContact.update': 'member.changed',
  'invitedContact.delete': 'member.ended',
  'invitationAnswer.create': 'member.joined',
  'invitationAnswer.delete': 'member.ended',
  'profileInformation.update': 'member.changed',
  // A member pauses while their account waits for its erasure, and returns or ends with it.
  'deleteAccount.delete': 'member.changed',
  'deleteAccount.change': 'member.changed',
  'roleInformation.create': 'role.created',
  'roleInformation.update': 'role.changed',
  'permission.update': 'role.changed',
  'roleInformation.delete': 'role.deleted',
  'organizationInformation.update': 'organization.changed',
  'applicationInformation.update': 'organization.changed',
  'applicationInformation.upload': null,
  // No webhook exists before its organization.
  'organizationInformation.create': null,
  // Pictures are for people, and the names of their files open them.
  'profileInformation.upload': null,
  'profileInformation.delete': null,
  // Receivers need not know how the organization is administered.
  'ownApplication.create': null,
  'ownApplication.update': null,
  'ownApplication.change': null,
  'ownApplication.delete': null,
  'webhook.create': null,
  'webhook.update': null,
  'webhook.change': null,
  'webhook.delete': null,
  'connectedApplication.create': null,
  'connectedApplication.update': null,
  'connectedApplication.delete': null,
  'auditLog.read': null,
  'organizationData.create': null,
  'organizationData.read': null,
};

/** The same for the log of a person or of the operator, for webhooks of the suite. */
const ofPerson: Readonly<Partial<Record<Act, WebhookEvent | null>>> = {
  'profileInformation.update': 'person.changed',
  'contactInformation.update': 'person.changed',
  'contactInformation.change': 'person.changed',
  'contactInformation.delete': 'person.changed',
  'signIn.change': 'person.restricted',
  'deleteAccount.delete': 'person.deleted',
  'deleteAccount.change': 'person.changed',
  // An application learns of a person at their first visit.
  'profileInformation.create': null,
  'profileInformation.upload': null,
  'profileInformation.delete': null,
  // How people sign in is nobody else's business. The ends of sessions are announced by a trigger.
  'password.create': null,
  'password.change': null,
  'signInDevice.delete': null,
  'signIn.create': null,
  'signIn.update': null,
  'signIn.delete': null,
  'twoStep.change': null,
  'stepUp.create': null,
  'passkey.create': null,
  'passkey.update': null,
  'passkey.delete': null,
  'authenticatorApp.create': null,
  'authenticatorApp.delete': null,
  'recoveryCode.create': null,
  'recoveryCode.change': null,
  'rememberedBrowser.create': null,
  'rememberedBrowser.delete': null,
  'emailNotification.update': null,
  'dataExport.create': null,
  'dataExport.read': null,
  'connectedApplication.create': null,
  'connectedApplication.update': null,
  'connectedApplication.delete': null,
  'auditLog.read': null,
  'auditLog.upload': null,
  'auditLog.change': null,
  'suiteApplication.create': null,
  'suiteApplication.update': null,
  'suiteApplication.change': null,
  'suiteApplication.delete': null,
  'webhook.create': null,
  'webhook.update': null,
  'webhook.change': null,
  'webhook.delete': null,
};

const nameOf = (codes: Readonly<Record<string, number>>, code: number) =>
  Object.keys(codes).find((name) => codes[name] === code);

/** The event of a row in the log; null means none; undefined: the tables above miss it. */
export function eventNamed(isOfOrganization: boolean, type: number, action: number) {
  const act = `${nameOf(ACTIVITY_TYPE, type)}.${nameOf(ACTION, action)}` as Act;
  return isOfOrganization ? ofOrganization[act] : ofPerson[act];
}

/** The fields in events, by their subject. Rights of a role have dotted names. */
const fields: Readonly<Record<string, readonly string[]>> = {
  member: ['first_name', 'last_name', 'designation', 'email', 'role', 'status', 'country', 'time_zone'],
  role: ['name', 'is_admin', 'moved_to', 'moved'],
  organization: [
    'name',
    'description',
    'website',
    'employee_count',
    'application_name',
    'second_step_rule',
    'second_step_from',
  ],
  person: [
    'first_name',
    'last_name',
    'designation',
    'country',
    'time_zone',
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
  readonly type: number;
  readonly action: number;
  readonly recordId?: number | undefined;
  readonly information?: Readonly<Record<string, unknown>> | undefined;
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
export function announcementOf({ orgId, userId, ...row }: Row): Announcement | undefined {
  const named = eventNamed(orgId !== null, row.type, row.action);
  if (!named) return undefined;
  const [about = ''] = named.split('.');
  const information = row.information ?? {};
  const known = Object.entries(information).filter(
    ([field]) => fields[about]?.includes(field) || (about === 'role' && isRight(field)),
  );
  if (named.endsWith('.changed') && known.length === 0) return undefined;
  const event = row.type === ACTIVITY_TYPE.deleteAccount ? eventOfDeletion(orgId, information) : named;
  const isOfPerson = about === 'member' || about === 'person';
  const id = row.recordId ?? userId;
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
function eventOfDeletion(orgId: number | null, { status, due_at: dueAt }: Readonly<Record<string, unknown>>) {
  if (orgId === null) return dueAt === undefined ? 'person.deleted' : 'person.changed';
  return Array.isArray(status) && status[1] === null ? 'member.ended' : 'member.changed';
}
