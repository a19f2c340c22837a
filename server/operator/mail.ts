import type { Notice } from '#server/mail/frame.ts';

const when = (moment: Date) =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(moment)} UTC`;

export const sessionsEndedNotice: Notice = {
  subject: 'You were signed out everywhere',
  paragraphs: [
    'Whoever runs this portal has ended all your sessions. Your password stays as it is: sign in again whenever you like.',
  ],
};

export const restrictedNotice = (until: Date): Notice => ({
  subject: 'Your account is restricted',
  paragraphs: [
    `Whoever runs this portal has restricted your account until ${when(until)}. Until then nobody can sign in to it.`,
  ],
});

export const liftedNotice: Notice = {
  subject: 'Your account is open again',
  paragraphs: ['The restriction of your account was lifted. You can sign in again.'],
};
