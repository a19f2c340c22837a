import type { Notice } from '#server/mail/frame.ts';

export const passwordNotice: Notice = {
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed on My Profile, and every other device was signed out.',
  ],
};
