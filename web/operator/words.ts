import { APPLICATION_KINDS } from '#contract/applications/registration.ts';
import { WAITING_MAILS } from '#contract/operator/people-acts.ts';

/** The desk speaks English only, as the terminal does: both take their acts from one table. */
export const words = {
  title: 'Operator’s desk',
  back: 'Back to my account',
  leave: 'Leave the desk',
  sections: 'Parts of the desk',
  loading: 'Loading…',
  notLoaded: 'This could not be loaded.',
  tryAgain: 'Try again',
  enterTitle: 'Prove that it is you',
  enterLead: 'The desk opens for 15 minutes at a time. It asks for a passkey or your app at each entry.',
  proveLead: 'A change asks for a proof of the last five minutes.',
  passkey: 'Use a passkey',
  code: 'Code of your authenticator app',
  enter: 'Open the desk',
  noWay:
    'You have no passkey or app that serves here. One that you added today serves tomorrow; whoever runs the machine can name you again at once.',
  today: 'Today',
  ended:
    'The desk has closed, because it was not used or its time was over. Please prove again that it is you.',
  fine: 'Nothing needs a hand.',
  bad: 'Needs a hand',
  toKnow: 'Good to know',
  since: ({ at }: { at: string }) => `Since ${at}`,
  helps: 'At the machine',
  people: 'People',
  search: 'Id, address, or words of a name',
  find: 'Find',
  twenty: 'The first twenty are shown. Please type more of the name.',
  open: 'Open',
  all: 'Back',
  noName: 'No name yet',
  none: 'None',
  byFull: 'A full operator can end this.',
  waits: 'Waits for a second operator',
  askedBy: (of: { act: string; by: string; at: string; due: string | null; reason: string }) =>
    `${of.act}, asked by ${of.by} at ${of.at}: “${of.reason}”.${of.due ? ` It happens by itself at ${of.due}.` : ''}`,
  activity: 'Activity',
  activityLead: 'Sign-ins, devices, networks and changes. The log keeps that you looked.',
  showActivity: 'Show activity',
  devices: 'Signed in on',
  signedInNowhere: 'Signed in nowhere.',
  deviceSince: ({ since, lastSeen }: { since: string; lastSeen: string }) =>
    `Since ${since}, last seen ${lastSeen}`,
  acts: 'What was done',
  nothingDone: 'Nothing was done yet.',
  requests: 'Requests',
  applications: 'Applications',
  noApplications: 'No application is registered yet.',
  noneFits: 'None fits.',
  filter: 'Filter by name, id or organization',
  noWebhooks: 'No webhook is registered yet.',
  state: 'State',
  active: 'Active',
  paused: 'paused',
  pausedSince: ({ at }: { at: string }) => `Paused since ${at}`,
  description: 'Description',
  clientId: 'Client ID',
  kind: 'Kind',
  belongsTo: 'Belongs to',
  firstParty: 'The suite (asks nobody for consent)',
  thirdParty: 'The suite (asks for consent)',
  admits: 'Admits',
  everybody: 'everybody with an account',
  anyMember: 'active members of any organization',
  membersOf: ({ id }: { id: number }) => `active members of the organization ${id}`,
  secrets: 'Secrets',
  secretOf: ({ at }: { at: string }) => `made ${at}`,
  secretEnds: ({ at, end }: { at: string; end: string }) => `made ${at}, ends ${end}`,
  ownKeys: 'Proves itself by',
  publicKeys: 'its own keys (private_key_jwt)',
  scopes: 'Scopes',
  signature: 'Signature of tokens',
  created: 'Registered',
  lastUsed: 'Last used',
  never: 'never',
  yes: 'Yes',
  no: 'No',
  unchanged: ({ is }: { is: string }) => `Unchanged (${is})`,
  usual: 'As usual',
  choose: 'Please choose',
  nextSignIn: 'What the next sign-in does',
  everyAct: 'Every act',
  from: 'From (UTC)',
  before: 'Before (UTC)',
  act: 'Act',
  personId: 'Person (id or address)',
  show: 'Show',
  more: 'Show more',
  aLineEach: 'one per line',
  reason: 'Reason',
  reasonHint: 'For the log; the person does not see it.',
  takesTwo: 'A second operator has to agree.',
  takesTwoFirstParty: 'For a first-party application, a second operator has to agree.',
  askSecond: 'Ask a second operator',
  askedByYou: 'You asked for it, so another operator has to agree.',
  agree: 'Agree',
  refuse: 'Refuse',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
} as const;

/** `2026-12-24T18:00:00.000Z` as people read it. */
export const momentOf = (at: Date | string) =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Labels, hints and choices of fields that read badly as the terminal has them. */
export const fieldWords: Readonly<
  Record<string, { readonly label?: string; readonly hint?: string; readonly choices?: readonly string[] }>
> = {
  url: { label: 'Address' },
  to: { label: 'Address' },
  event: { label: 'Events' },
  until: {
    hint: 'A day or a time in UTC, such as 2026-12-24 or 2026-12-24T18:00:00Z. “lifted” keeps it until an operator lifts it. Empty: 24 hours.',
  },
  organization: { hint: 'Its id, or its name in addresses.' },
  job: { hint: 'The id of a job, or “all”.' },
  mail: { choices: WAITING_MAILS },
  kind: { choices: APPLICATION_KINDS },
  algorithm: { choices: ['ES256', 'RS256'] },
  start: { label: 'Start page' },
  redirect: { label: 'Redirect addresses' },
  'signed-out': { label: 'Addresses after sign-out' },
  'logout-tokens': { label: 'Address for logout tokens' },
  api: { label: 'APIs' },
  'members-of': { hint: 'Only active members of this organization enter. Empty: everybody.' },
  pkce: { label: 'PKCE', hint: 'No: a web application whose library cannot do it. It must send a nonce.' },
  par: { label: 'Pushed requests (PAR)' },
  dpop: { label: 'Bound tokens (DPoP)' },
};

const labels: Readonly<Record<string, string>> = {
  'keys rotate': 'Rotate keys',
  'mails test': 'Send a test mail',
  'applications add': 'Register an application',
  'webhooks add': 'Add a webhook',
  'make-super-admin': 'Make Super Admin',
  resend: 'Resend a mail',
  retry: 'Retry jobs',
};
/** `end-sessions` is the button "End sessions". */
export function labelOf(name: string) {
  const label = labels[name] ?? fieldWords[name]?.label;
  if (label !== undefined) return label;
  const spoken = name.replace(/^(applications|webhooks|keys|mails) /, '').replaceAll('-', ' ');
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
}
/** An address keeps its small letter. */
export const sentenceOf = (usage: string) =>
  `${usage.startsWith('http') ? 'h' : usage.charAt(0).toUpperCase()}${usage.slice(1)}.`;
