import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';

const footer =
  'You get this mail because you are a Super Admin of {organization}. If nobody should have done this, talk to {person}.';
export const webhookMailText = {
  added: {
    subject: 'New webhook in {organization}',
    paragraphs: [
      '{person} added a webhook to {organization}. {address} receives changes to its members and roles from now on.',
    ],
    button: 'See the webhook',
    footer,
  },
  moved: {
    subject: 'New address of a webhook in {organization}',
    paragraphs: [
      '{person} changed the address of a webhook of {organization}. {address} receives changes to its members and roles from now on.',
    ],
    button: 'See the webhook',
    footer,
  },
  secret: {
    subject: 'New secret for a webhook of {organization}',
    paragraphs: [
      `{person} made a new secret for the webhook {address} of {organization}. For ${SECRET_OVERLAP_HOURS} hours, requests are signed with both secrets.`,
    ],
    button: 'See the webhook',
    footer,
  },
  removed: {
    subject: 'Webhook removed from {organization}',
    paragraphs: ['{person} removed the webhook {address} from {organization}. It receives no more events.'],
    button: 'See webhooks',
    footer,
  },
  switchedOff: {
    subject: 'A webhook of {organization} was switched off',
    paragraphs: [
      '{address} receives no more events, because it {reason}. Waiting events are kept. Resume the webhook once its server works again.',
    ],
    button: 'See the webhook',
    footer: 'You get this mail because you are a Super Admin of {organization}.',
  },
  switchedOffOfSuite: {
    subject: 'A webhook of the suite was switched off',
    paragraphs: [
      '{address} receives no more events, because it {reason}. Waiting events are kept. Once its server works again, resume it with the operator’s command “webhooks resume”.',
    ],
    footer: 'You get this mail because SUPPORT_EMAIL is your address.',
  },
} as const;
