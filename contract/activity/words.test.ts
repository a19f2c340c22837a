import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { partsOf, plainSentence, tell } from '#contract/activity/words.ts';
import { activitySentences } from '#contract/text/activity.ts';

const MAYA = 7;
const TOM = 8;
const names = { [MAYA]: 'Maya Lindqvist', [TOM]: 'Tom Berg' };
const chromeOnLinux = { browser: [null, 'Chrome'], system: [null, 'Linux'] };
type Information = Record<string, unknown>;
type Sentences = typeof activitySentences;
type Case = [information: Information, sentence: string, recordId?: number];

/** `activity-words-second-steps.test.ts` and `activity-words-webhooks.test.ts` have these. */
type OtherType = 'passkey' | 'authenticatorApp' | 'recoveryCode' | 'rememberedBrowser' | 'webhook';
/** Each act with sample rows and their sentences. An act without a case does not compile. */
const cases = {
  profileInformation: {
    create: [[{ email: [null, 'm@x.example'] }, 'Maya Lindqvist created their account']],
    update: [
      [{ time_zone: ['Etc/UTC', 'Asia/Kolkata'] }, 'Maya Lindqvist changed their time zone'],
      [{ first_name: ['a', 'b'], country: [null, 'Sweden'] }, 'Maya Lindqvist changed their profile'],
    ],
    upload: [[{ picture: [null, 'id'] }, 'Maya Lindqvist uploaded a profile picture']],
    delete: [[{ picture: ['id', null] }, 'Maya Lindqvist removed their profile picture']],
  },
  contactInformation: {
    update: [
      [{ confirmed: [false, true] }, 'Maya Lindqvist confirmed their email address'],
      [{ contact_number: ['', '+46'] }, 'Maya Lindqvist changed their phone number'],
      [{ pending_email: [null, 'b'] }, 'Maya Lindqvist asked to change their email address'],
      [{ contact_number: ['', '1'], email: ['a', 'b'] }, 'Maya Lindqvist changed their contact information'],
    ],
    change: [
      [{ email: ['a', 'b'] }, 'Maya Lindqvist changed their email address'],
      [{ email: ['b', 'a'], reported: [false, true] }, 'Maya Lindqvist took their former email address back'],
    ],
    delete: [
      [{ pending_email: ['b', null] }, 'Maya Lindqvist kept their email address as it was'],
      [{ email: ['b', null] }, 'Maya Lindqvist lost an email address that somebody else proved to be theirs'],
    ],
  },
  password: {
    create: [[{}, 'Maya Lindqvist chose their first password']],
    change: [[{}, 'Maya Lindqvist changed their password']],
    update: [[{}, 'Maya Lindqvist changed their password']],
  },
  emailNotification: { update: [[{}, 'Maya Lindqvist changed their email notifications']] },
  applicationInformation: {
    update: [
      [
        { application_name: ['Portico', 'Harbour'] },
        'Maya Lindqvist renamed the application from Portico to Harbour',
      ],
      [{ app_dark_icon: ['a', 'b'] }, 'Maya Lindqvist changed the dark application icon'],
    ],
    upload: [[{ app_light_icon: [null, 'b'] }, 'Maya Lindqvist uploaded a new light application icon']],
  },
  organizationInformation: {
    create: [
      [
        { name: [null, 'Northwind'], employee_count: [null, 5] },
        'Maya Lindqvist created the organization Northwind',
      ],
    ],
    update: [
      [
        { name: ['Northwind', 'Harbour'] },
        'Maya Lindqvist renamed the organization from Northwind to Harbour',
      ],
      [{ description: ['', 'We'] }, 'Maya Lindqvist changed the organization’s description'],
      [{ is_default: [false, true] }, 'Maya Lindqvist made this their default organization'],
      [
        { website: ['', 'x'], description: ['', 'y'] },
        'Maya Lindqvist changed the organization’s information',
      ],
    ],
    delete: [[{ name: ['Northwind', null] }, 'Maya Lindqvist deleted the organization Northwind']],
  },
  roleInformation: {
    create: [
      [
        { role: 'Sales', name: [null, 'Sales'], is_admin: [null, false] },
        'Maya Lindqvist created the role Sales',
      ],
    ],
    update: [[{ role: 'North', name: ['Sales', 'North'] }, 'Maya Lindqvist renamed the role Sales to North']],
    delete: [
      [
        { role: 'Sales', name: ['Sales', null], moved: 0, moved_to: 'Admin' },
        'Maya Lindqvist deleted the role Sales',
      ],
      [
        { role: 'Sales', name: ['Sales', null], moved: 2, moved_to: 'Admin' },
        'Maya Lindqvist deleted the role Sales; its members now have Admin',
      ],
    ],
  },
  invitedContact: {
    invite: [
      [{ email: [null, 't'], role: [null, 'Editor'] }, 'Maya Lindqvist invited Tom Berg as Editor', TOM],
      [{ email: [null, 't'] }, 'Maya Lindqvist invited Tom Berg', TOM],
      [{ invitation_expires: ['a', 'b'] }, 'Maya Lindqvist sent Tom Berg a new invitation link', TOM],
    ],
    update: [
      [
        { role: ['Editor', 'Admin'] },
        'Maya Lindqvist changed the role of Tom Berg from Editor to Admin',
        TOM,
      ],
      [{ status: [2, 4] }, 'Maya Lindqvist changed the status of Tom Berg from Active to Disabled', TOM],
      [{ designation: ['', 'Clerk'] }, 'Maya Lindqvist changed the designation of Tom Berg', TOM],
      [{ status: [2, 4], role: ['a', 'b'] }, 'Maya Lindqvist changed the details of Tom Berg', TOM],
    ],
    delete: [
      [{ status: [2, null] }, 'Maya Lindqvist deleted Tom Berg from the organization', TOM],
      [{ status: [1, null] }, 'Maya Lindqvist withdrew the invitation of Tom Berg', TOM],
      [{ status: [2, null] }, 'Maya Lindqvist left the organization', MAYA],
      [{ status: [2, null] }, 'Maya Lindqvist deleted Deleted user from the organization', 99],
    ],
  },
  auditLog: {
    read: [
      [{ format: 'csv' }, 'Maya Lindqvist exported the activity log'],
      [{ backup: [null, 'a.tar'] }, 'Maya Lindqvist made a backup'],
    ],
    upload: [[{ restore: [null, 'a.tar'] }, 'Maya Lindqvist brought a backup back']],
    change: [[{ mail: ['refused', null] }, 'Maya Lindqvist had a failed job done again']],
  },
  deleteAccount: {
    delete: [
      [{ reason: [null, 'x'] }, 'Maya Lindqvist asked to delete their account'],
      [{ status: [2, 3] }, 'Maya Lindqvist paused their membership by asking to delete their account'],
      [{ status: [3, null] }, 'Maya Lindqvist is no longer a member: the account was erased'],
    ],
    change: [
      [{ due_at: ['x', null] }, 'Maya Lindqvist restored their account'],
      [{ status: [3, 2] }, 'Maya Lindqvist is a member again, with their account restored'],
      [
        { status: [3, 3] },
        'Maya Lindqvist restored their account; without a free seat the membership stays paused',
      ],
    ],
  },
  permission: {
    update: [
      [
        { role: 'Sales', 'sign.1.create': [false, true] },
        'Maya Lindqvist changed what the role Sales may do',
      ],
    ],
  },
  signInDevice: {
    delete: [
      [{ reported: true }, 'Maya Lindqvist reported a sign-in that was not theirs'],
      [{}, 'Maya Lindqvist deleted a sign-in device'],
      [{ sessions: [2, 0] }, 'Maya Lindqvist signed Tom Berg out everywhere', TOM],
    ],
  },
  signIn: {
    create: [
      [{}, 'Maya Lindqvist signed in'],
      [chromeOnLinux, 'Maya Lindqvist signed in with Chrome on Linux'],
      [
        { browser: [null, 'Unknown'], system: [null, 'Linux'] },
        'Maya Lindqvist signed in with an unknown browser on Linux',
      ],
    ],
    update: [[{ social_sign_in: [null, 'google'] }, 'Maya Lindqvist connected Google for signing in']],
    delete: [
      [{}, 'Maya Lindqvist signed out'],
      [{ browser: ['Edge', null], system: ['iOS', null] }, 'Maya Lindqvist signed out of Edge on iOS'],
    ],
    change: [
      [{ restricted_until: [null, 'x'] }, 'Maya Lindqvist restricted the account of Tom Berg', TOM],
      [{ restricted_until: ['x', null] }, 'Maya Lindqvist lifted the restriction of Tom Berg', TOM],
    ],
  },
  twoStep: {
    change: [
      [{ mfa_enabled: [false, true] }, 'Maya Lindqvist switched two-step sign-in on'],
      [{ mfa_enabled: [true, false] }, 'Maya Lindqvist switched two-step sign-in off'],
    ],
  },
  invitationAnswer: {
    create: [[{ status: [1, 2], role: 'Editor' }, 'Maya Lindqvist joined the organization as Editor']],
    delete: [[{ status: [1, null], role: 'Editor' }, 'Maya Lindqvist declined the invitation']],
  },
  connectedApplication: {
    create: [
      [
        { application: [null, 'Sign'], access: [null, ['openid']] },
        'Maya Lindqvist let Sign use their account',
      ],
      [{ application: [null, 'Sign'], asked: false }, 'Maya Lindqvist entered Sign'],
    ],
    update: [
      [
        { application: 'Sign', access: [['openid'], ['openid', 'email']] },
        'Maya Lindqvist let Sign see more of their account',
      ],
    ],
    delete: [
      [
        { application: ['Sign', null], access: [['openid'], null] },
        'Maya Lindqvist took their account back from Sign',
      ],
    ],
  },
  suiteApplication: {
    create: [[{ name: [null, 'Sign'] }, 'Maya Lindqvist added the application Sign']],
    update: [[{ paused: [false, true] }, 'Maya Lindqvist changed an application']],
    change: [[{}, 'Maya Lindqvist made a new secret for an application']],
    delete: [[{ name: ['Sign', null] }, 'Maya Lindqvist removed the application Sign']],
  },
  stepUp: { create: [[{}, 'Maya Lindqvist confirmed their identity']] },
  ownApplication: {
    create: [[{ application: 'Books', name: [null, 'Books'] }, 'Maya Lindqvist added the application Books']],
    update: [
      [{ application: 'Books', name: ['Book', 'Books'] }, 'Maya Lindqvist changed the application Books'],
      [{ application: 'Books', icon: [null, 'a file'] }, 'Maya Lindqvist changed the application Books'],
      [{ application: 'Books', paused: [false, true] }, 'Maya Lindqvist paused the application Books'],
      [{ application: 'Books', paused: [true, false] }, 'Maya Lindqvist resumed the application Books'],
    ],
    change: [
      [
        { application: 'Books', former_secret_ends: '2026-11-26T09:00:00.000Z' },
        'Maya Lindqvist made a new secret for the application Books',
      ],
    ],
    delete: [
      [{ application: 'Books', name: ['Books', null] }, 'Maya Lindqvist removed the application Books'],
    ],
  },
  dataExport: {
    create: [[{}, 'Maya Lindqvist asked for their data']],
    read: [[{}, 'Maya Lindqvist downloaded their data']],
  },
  organizationData: {
    create: [[{}, 'Maya Lindqvist asked for the organization’s data']],
    read: [[{}, 'Maya Lindqvist downloaded the organization’s data']],
  },
} satisfies {
  readonly [T in Exclude<keyof Sentences, OtherType>]: { readonly [A in keyof Sentences[T]]: Case[] };
};

const all = Object.entries<Record<string, Case[]>>(cases).flatMap(([type, acts]) =>
  Object.entries(acts).flatMap(([action, rows]) =>
    rows.map(([information, sentence, recordId = MAYA]) => ({
      type,
      action,
      information,
      sentence,
      recordId,
    })),
  ),
);
const rowOf = ({ type, action, information, recordId }: Omit<(typeof all)[number], 'sentence'>) => ({
  userId: MAYA,
  recordId,
  activityType: ACTIVITY_TYPE[type as keyof typeof ACTIVITY_TYPE],
  action: ACTION[action as keyof typeof ACTION],
  information,
});

test.each(all)('$sentence', ({ sentence, ...row }) => {
  expect(plainSentence(tell(rowOf(row), names))).toBe(sentence);
});

describe('to the person who acted', () => {
  const sentenceFor = (type: string, action: string, information: Information, reader: number) =>
    plainSentence(tell(rowOf({ type, action, information, recordId: TOM }), names, reader));

  test.each([
    ['password', 'change', {}, 'You changed your password'],
    ['signInDevice', 'delete', { reported: true }, 'You reported a sign-in that was not yours'],
    ['invitedContact', 'update', { role: ['a', 'b'] }, 'You changed the role of Tom Berg from a to b'],
  ])('%s %s: “%s”', (type, action, information, sentence) => {
    expect(sentenceFor(type, action, information, MAYA)).toBe(sentence);
  });

  test('a reader who is the target is named like anybody else', () => {
    expect(sentenceFor('invitedContact', 'update', { role: ['a', 'b'] }, TOM)).toBe(
      'Maya Lindqvist changed the role of Tom Berg from a to b',
    );
  });
});

test('unknown codes and people get a neutral sentence', () => {
  const row = { userId: 99, recordId: null, activityType: 77, action: 5, information: {} };
  expect(plainSentence(tell(row, names))).toBe('Deleted user made a change');
});

test('names stay separate from the words around them, even if they look like placeholders', () => {
  const row = rowOf({ type: 'signIn', action: 'create', information: {}, recordId: MAYA });
  expect(partsOf(tell(row, { [MAYA]: '{whom} <b>' }))).toEqual([
    { text: '{whom} <b>', place: 'who' },
    { text: ' signed in', place: undefined },
  ]);
});
