import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from './calls.ts';
import { choices } from './sentences.ts';
import { activityText } from '#words/activity.ts';
import { partsOf, plainSentence, tell, valueLabels, valueText } from './words.ts';
import { activityFieldsText } from '#words/activity-fields.ts';

const MAYA = 7;
const TOM = 8;
const names = { [MAYA]: 'Maya Lindqvist', [TOM]: 'Tom Berg' };
type Information = Record<string, unknown>;
const RULE_DAY = '2026-12-03T09:00:00.000Z';

const rowOf = (act: string, information: Information, recordId = MAYA) => {
  const [type, action] = act.split('.') as [keyof typeof ACTIVITY_TYPE, keyof typeof ACTION];
  return { userId: MAYA, recordId, activityType: ACTIVITY_TYPE[type], action: ACTION[action], information };
};

/** The acts whose sentence depends on the row, with a sample of each sentence. */
const cases: Record<string, [information: Information, sentence: string, recordId?: number][]> = {
  'profileInformation.update': [
    [{ time_zone: ['Etc/UTC', 'Asia/Kolkata'] }, 'changed their time zone'],
    [{ first_name: ['a', 'b'], country: [null, 'Sweden'] }, 'changed their profile'],
  ],
  'contactInformation.update': [
    [{ confirmed: [false, true] }, 'confirmed their email address'],
    [{ contact_number: ['', '+46'] }, 'changed their phone number'],
    [{ pending_email: [null, 'b'] }, 'asked to change their email address'],
    [{ contact_number: ['', '1'], email: ['a', 'b'] }, 'changed their contact information'],
  ],
  'contactInformation.change': [
    [{ email: ['a', 'b'] }, 'changed their email address'],
    [{ email: ['b', 'a'], reported: [false, true] }, 'took their former email address back'],
  ],
  'contactInformation.delete': [
    [{ pending_email: ['b', null] }, 'kept their email address as it was'],
    [{ email: ['b', null] }, 'lost an email address that somebody else proved to be theirs'],
  ],
  'applicationInformation.update': [
    [{ application_name: ['Portico', 'Harbour'] }, 'renamed the application from Portico to Harbour'],
    [{ app_dark_icon: ['a', 'b'] }, 'changed the dark application icon'],
  ],
  'organizationInformation.update': [
    [{ name: ['Northwind', 'Harbour'] }, 'renamed the organization from Northwind to Harbour'],
    [{ description: ['', 'We'] }, 'changed the organization’s description'],
    [{ is_default: [false, true] }, 'made this their default organization'],
    [{ website: ['', 'x'], description: ['', 'y'] }, 'changed the organization’s information'],
    [
      { second_step_rule: ['none', 'strong'], second_step_from: [null, RULE_DAY] },
      'made a passkey or an authenticator app mandatory from 3 Dec 2026',
    ],
    [{ second_step_rule: ['any', 'strong'] }, 'made a passkey or an authenticator app mandatory'],
    [
      { second_step_rule: ['none', 'any'], second_step_from: [null, RULE_DAY] },
      'made a second step mandatory from 3 Dec 2026',
    ],
    [
      { second_step_rule: ['strong', 'any'], second_step_from: ['2026-12-01T00:00:00.000Z', RULE_DAY] },
      'accepted any second step from 3 Dec 2026, no longer only a passkey or an authenticator app',
    ],
    [
      { second_step_rule: ['strong', 'any'] },
      'accepted any second step, no longer only a passkey or an authenticator app',
    ],
    [
      { second_step_rule: ['strong', 'none'], second_step_from: [RULE_DAY, null] },
      'stopped requiring a second step',
    ],
    [
      { second_step_from: ['2026-12-01T00:00:00.000Z', RULE_DAY] },
      'moved the start of the required second step to 3 Dec 2026',
    ],
  ],
  'roleInformation.delete': [
    [{ role: 'Sales', name: ['Sales', null], moved: 0, moved_to: 'Admin' }, 'deleted the role Sales'],
    [
      { role: 'Sales', name: ['Sales', null], moved: 2, moved_to: 'Admin' },
      'deleted the role Sales; its members now have Admin',
    ],
  ],
  'invitedContact.invite': [
    [{ email: [null, 't'], role: [null, 'Editor'] }, 'invited Tom Berg as Editor', TOM],
    [{ email: [null, 't'] }, 'invited Tom Berg', TOM],
    [{ invitation_expires: ['a', 'b'] }, 'sent Tom Berg a new invitation link', TOM],
  ],
  'invitedContact.update': [
    [{ role: ['Editor', 'Admin'] }, 'changed the role of Tom Berg from Editor to Admin', TOM],
    [{ status: [2, 4] }, 'changed the status of Tom Berg from Active to Disabled', TOM],
    [{ designation: ['', 'Clerk'] }, 'changed the designation of Tom Berg', TOM],
    [{ status: [2, 4], role: ['a', 'b'] }, 'changed the details of Tom Berg', TOM],
  ],
  'invitedContact.delete': [
    [{ status: [2, null] }, 'deleted Tom Berg from the organization', TOM],
    [{ status: [1, null] }, 'withdrew the invitation of Tom Berg', TOM],
    [{ status: [2, null] }, 'left the organization', MAYA],
    [{ status: [2, null] }, 'deleted Deleted user from the organization', 99],
  ],
  'auditLog.read': [
    [{ format: 'csv' }, 'exported the activity log'],
    [{ backup: [null, 'a.tar'] }, 'made a backup'],
  ],
  'deleteAccount.delete': [
    [{ reason: [null, 'x'] }, 'asked to delete their account'],
    [{ status: [2, 3] }, 'paused their membership by asking to delete their account'],
    [{ status: [3, null] }, 'is no longer a member: the account was erased'],
  ],
  'deleteAccount.change': [
    [{ due_at: ['x', null] }, 'restored their account'],
    [{ status: [3, 2] }, 'is a member again, with their account restored'],
    [{ status: [3, 3] }, 'restored their account; without a free seat the membership stays paused'],
  ],
  'signInDevice.delete': [
    [{ reported: true }, 'reported a sign-in that was not theirs'],
    [{}, 'deleted a sign-in device'],
    [{ sessions: [2, 0] }, 'signed Tom Berg out everywhere', TOM],
  ],
  'signIn.create': [
    [{}, 'signed in'],
    [{ browser: [null, 'Chrome'], system: [null, 'Linux'] }, 'signed in with Chrome on Linux'],
    [{ browser: [null, 'Unknown'], system: [null, 'Linux'] }, 'signed in with an unknown browser on Linux'],
  ],
  'signIn.delete': [
    [{}, 'signed out'],
    [{ browser: ['Edge', null], system: ['iOS', null] }, 'signed out of Edge on iOS'],
  ],
  'signIn.change': [
    [{ restricted_until: [null, 'x'] }, 'restricted the account of Tom Berg', TOM],
    [{ restricted_until: ['x', null] }, 'lifted the restriction of Tom Berg', TOM],
  ],
  'twoStep.change': [
    [{ mfa_enabled: [false, true] }, 'switched two-step sign-in on'],
    [{ mfa_enabled: [true, false] }, 'switched two-step sign-in off'],
  ],
  'rememberedBrowser.delete': [
    [
      { browser: ['Firefox', null], system: ['Linux', null] },
      'asked Firefox on Linux for a second step again',
    ],
    [{}, 'asked all browsers for a second step again'],
  ],
  'connectedApplication.create': [
    [{ application: [null, 'Sign'], access: [null, ['openid']] }, 'let Sign use their account'],
    [{ application: [null, 'Sign'], asked: false }, 'entered Sign'],
  ],
  'connectedApplication.update': [
    [
      { application: 'Sign', access: [['openid'], ['openid', 'email']] },
      'let Sign see more of their account',
    ],
  ],
  'ownApplication.update': [
    [{ application: 'Books', name: ['Book', 'Books'] }, 'changed the application Books'],
    [{ application: 'Books', icon: [null, 'a file'] }, 'changed the application Books'],
    [{ application: 'Books', paused: [false, true] }, 'paused the application Books'],
    [{ application: 'Books', paused: [true, false] }, 'resumed the application Books'],
  ],
  'webhook.update': [
    [{ webhook: 'w', events: ['', 'member.joined'] }, 'changed the webhook w'],
    [{ webhook: 'w', paused: [false, true] }, 'paused the webhook w'],
    [{ webhook: 'w', paused: [true, false] }, 'resumed the webhook w'],
    [{ webhook: 'w', sent: 'test' }, 'sent the event test to the webhook w'],
  ],
  'companyDomain.update': [
    [{ domain: 'd', proven: [false, true] }, 'proved the domain d'],
    [{ domain: 'd', joining: ['ask', 'click'] }, 'changed how people with an address at d join'],
  ],
  'companyConnection.update': [
    [{ client_id: ['a', 'b'] }, 'changed the connection to the company’s identity provider'],
    [{ switched_on: [false, true] }, 'switched company sign-in on'],
    [{ switched_on: [true, false] }, 'switched company sign-in off'],
    [{ company_rule: ['nobody', 'everybody'] }, 'changed who must sign in through the company'],
  ],
  'directoryGroup.update': [
    [{ directory_group: 'Staff', role: [null, 'Sales'] }, 'gave the directory group Staff the role Sales'],
    [{ directory_group: 'Staff', role: ['Sales', null] }, 'took the role from the directory group Staff'],
    [{ directory_group: 'Staff', directory_members: [0, 1] }, 'changed the directory group Staff'],
  ],
  'joining.update': [
    [{ role: 'Sales' }, 'joined the organization by the domain of their address, as Sales', MAYA],
    [{ role: 'Sales' }, 'let Tom Berg join as Sales', TOM],
  ],
  'joining.delete': [
    [{}, 'withdrew their request to join', MAYA],
    [{}, 'declined the request of Tom Berg to join', TOM],
  ],
};

const samples = Object.entries(cases).flatMap(([act, rows]) =>
  rows.map(([information, sentence, recordId]) => ({ act, information, sentence, recordId })),
);
test.each(samples)('$act: Maya Lindqvist $sentence', ({ act, information, sentence, recordId }) => {
  expect(plainSentence(tell(rowOf(act, information, recordId), names))).toBe(`Maya Lindqvist ${sentence}`);
});

const actsIn = (types: Readonly<Record<string, object>>) =>
  Object.entries(types).flatMap(([type, actions]) =>
    Object.keys(actions).flatMap((action) => (action in ACTION ? [`${type}.${action}`] : [])),
  );
test('every act whose sentence depends on the row has a sample', () => {
  expect(Object.keys(cases).toSorted()).toEqual(actsIn(choices).toSorted());
});

test.each([...actsIn(choices), ...actsIn(activityText)])(
  'the sentence of %s leaves no placeholder',
  (act) => {
    const change = {
      name: ['a', 'b'],
      browser: ['a', 'b'],
      system: ['a', 'b'],
      role: 'r',
      application: 'x',
      webhook: 'w',
    };
    expect(plainSentence(tell(rowOf(act, change, TOM), names))).not.toMatch(/[{}]|undefined/);
  },
);

/** They hold what people typed, numbers, moments, yes or no, or words of the protocol. */
const PLAIN =
  'first_name last_name designation time_zone language email role pending_email contact_number confirmed ' +
  'terms_version mfa_enabled passkey provider left browser system ip_address over_limit sessions ' +
  'restricted_until backup restore operator reported due_at name description website employee_count is_default ' +
  'second_step_from application asked start_url redirect_urls signed_out_urls sign_out_url is_for_everyone roles ' +
  'paused former_secret_ends webhook url events switched_off sent application_name is_admin moved_to moved ' +
  'invitation_expires format scope user_id from to domain proven directory_group directory_members directory_user external_id issuer client_id linked secret_ends ' +
  'declares_step secret switched_on company_rule_from productOffers productUpdates promotionalUpdates';

test('a field of the log has words for its codes, or holds none', () => {
  const known = [...Object.keys(valueLabels), ...PLAIN.split(' ')];
  expect(known.toSorted()).toEqual(Object.keys(activityFieldsText).toSorted());
});

test.each([
  ['company_rule', 'addresses', 'People with our addresses'],
  ['joining', 'click', 'With one click'],
  ['kind', 'single-page', 'Website without a server'],
])('%s is shown in words: %s', (field, code, words) => {
  expect(valueText(field, code)).toBe(words);
});

test('the portal switches off a failing webhook', () => {
  const information = { webhook: 'w', switched_off: [false, true], reason: 'answered with 410' };
  expect(plainSentence(tell({ ...rowOf('webhook.update', information), userId: 0 }, {}))).toBe(
    'Portico switched off the webhook w, because it answered with 410',
  );
});

describe('to the person who acted', () => {
  const sentenceFor = (type: string, action: string, information: Information, reader: number) =>
    plainSentence(tell(rowOf(`${type}.${action}`, information, TOM), names, reader));

  test.each([
    ['password', 'change', {}, 'You changed your password'],
    ['signInDevice', 'delete', { reported: true }, 'You reported a sign-in that was not yours'],
    ['invitedContact', 'update', { role: ['a', 'b'] }, 'You changed the role of Tom Berg from a to b'],
    [
      'organizationInformation',
      'update',
      { second_step_rule: ['none', 'strong'], second_step_from: [null, RULE_DAY] },
      'You made a passkey or an authenticator app mandatory from 3 Dec 2026',
    ],
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
  const row = rowOf('signIn.create', {}, MAYA);
  expect(partsOf(tell(row, { [MAYA]: '{whom} <b>' }))).toEqual([
    { text: '{whom} <b>', place: 'who' },
    { text: ' signed in', place: undefined },
  ]);
});
