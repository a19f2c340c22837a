import type { Notice } from '#server/mail/frame.ts';
export const twoStepNotice = (on: boolean): Notice => ({
  subject: on ? 'Two-step sign-in is on' : 'Two-step sign-in is off',
  paragraphs: [
    on
      ? 'From now on signing in to your account needs a code that we mail to you.'
      : 'From now on your password alone opens your account.',
  ],
});
