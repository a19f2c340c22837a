import { momentIn } from '#contract/dates.ts';
import type { Notice } from '#server/mail/frame.ts';

export const sessionsEndedNotice: Notice = {
  subject: 'You were signed out everywhere',
  paragraphs: [
    'Whoever runs this portal has ended all your sessions. Your password stays as it is: sign in again whenever you like.',
  ],
};

export const restrictedNotice = (until: Date): Notice => ({
  subject: 'Your account is restricted',
  paragraphs: [
    `Whoever runs this portal has restricted your account until ${momentIn('UTC')(until)} UTC. It is signed out everywhere, and until then nobody can sign in to it.`,
  ],
});

export const liftedNotice: Notice = {
  subject: 'Your account is open again',
  paragraphs: ['The restriction of your account was lifted. You can sign in again.'],
};
