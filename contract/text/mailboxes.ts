/** Refusals about mailboxes. Only the server uses them, so no page loads them. */
export const mailboxText = {
  full: 'We have sent many mails to this mailbox today, so we send no more for now. Please use the newest one, or try again tomorrow.',
} as const;
