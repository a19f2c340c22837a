import type { Notice } from '#server/accounts/mail.ts';

export const linkedNotice = (provider: string): Notice => ({
  subject: `${provider} was linked to your account`,
  paragraphs: [`From now on your ${provider} account opens your account here, without the password.`],
});
