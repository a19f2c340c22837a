export const unlinkedNotice = (provider: string) => ({
  subject: `${provider} was disconnected from your account`,
  paragraphs: [`From now on your ${provider} account no longer opens your account here.`],
});

export const linkedNotice = (provider: string) => ({
  subject: `${provider} was linked to your account`,
  paragraphs: [`From now on your ${provider} account opens your account here, without the password.`],
});
