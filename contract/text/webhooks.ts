import type { OrganizationEvent } from '#contract/webhooks/calls.ts';

const events: Record<OrganizationEvent, string> = {
  'member.invited': 'Somebody is invited',
  'member.joined': 'A member joins',
  'member.changed': 'A member’s details change',
  'member.ended': 'A membership or an invitation ends',
  'role.created': 'A role is added',
  'role.changed': 'A role changes',
  'role.deleted': 'A role is deleted',
  'organization.changed': 'The organization changes',
};

export const webhooksText = {
  title: 'Webhooks',
  lead: 'Your servers learn of changes in {organization} at once. We sign each request as Standard Webhooks describes.',
  organization: 'Organization',
  add: 'Add webhook',
  empty: 'No webhooks yet',
  emptyHint: 'Add the address of your server, and it learns of new members, changed roles and more.',
  superAdminsOnly: 'Only Super Admins manage webhooks.',
  unlisted: 'Only Super Admins see the webhooks of {organization}.',
  full: 'An organization can have at most {max} webhooks. Remove one first.',

  url: 'Address',
  urlHint: 'We send a POST request there for each event. The server has to be reachable from the internet.',
  description: 'Description',
  events: 'Events',
  allEvents: 'All events',
  chosenEvents: 'Chosen events',
  someEvents: '{count} of {all} events',
  eventNames: events,
  noEvent: 'Please choose at least one event.',
  state: 'State',
  active: 'Active',
  paused: 'Paused',
  failing: 'Failing',
  switchedOff: 'Switched off',
  actions: 'Actions',
  edit: 'Edit {name}',
  more: 'More for {name}',
  editAct: 'Edit',

  one: 'Webhook',
  gone: 'This webhook no longer exists',
  goneHint: 'Somebody has removed it meanwhile.',
  back: 'To the webhooks',
  about: 'Settings',
  aboutLead: 'We post each event to the address, signed with the secret.',
  guide: 'Read the guide',
  secretOnce: 'We show a secret only when it is made.',
  added: 'Added',

  failingSince:
    'No request has succeeded since {time}. We try for three days and then switch it off. Please check the server.',
  offSince:
    'We switched it off {time}, because its server failed for three days or answered that it is gone (410). Fix the server, then resume the webhook. Waiting events are sent then.',

  addTitle: 'Add webhook',
  editTitle: 'Edit webhook',
  save: 'Save changes',
  saved: 'Webhook saved',

  secretTitle: 'Secret of the webhook',
  secretLead:
    'Copy it now, because we show it only this once. With it your server checks that a request to {name} comes from us.',
  secret: 'Secret',
  done: 'Done',

  rotateTitle: 'Make a new secret?',
  rotateEffect:
    'For {hours} hours we sign requests to {name} with both secrets, so that you can replace the current one without an outage. An older one stops working now.',
  rotateAct: 'Make new secret',
  formerEnds: 'The old secret works until {time}',
  pauseTitle: 'Pause this webhook?',
  pauseEffect: 'We send nothing to {name} until you resume it. Events wait for up to 30 days.',
  pauseAct: 'Pause',
  resumeTitle: 'Resume this webhook?',
  resumeEffect: 'We send new events to {name} again, and those that waited.',
  resumeAct: 'Resume',
  pausedDone: 'Webhook paused',
  resumed: 'Webhook resumed',
  removeTitle: 'Remove this webhook?',
  removeEffect: '{name} receives no more events, and waiting ones are lost. This can’t be undone.',
  removeAct: 'Remove webhook',
  removed: 'Webhook removed',
} as const;
