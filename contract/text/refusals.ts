/** Refusals of single cases, in place of the usual texts in `contract/text/errors.ts`. No page loads them. */
export const refusalText = {
  repeatedParameter: 'Each query parameter may be given once.',
  tooManySignIns: 'Too many failed sign-ins. Choose a new password by mail to get back in.',
  noMember: 'This person is not a member of the organization.',
  hasJoined: 'This person has joined already.',
  invitationGone: 'This invitation is no longer available. It was answered, withdrawn or sent anew.',
  invitationOutOfDate: 'This invitation is out of date. Ask for a new one.',
  invitationNotYours: 'This invitation is for another address.',
  hasAccount: 'You have an account already. Please sign in to answer this invitation.',
  linkNeeded:
    'Please open the link in the mail that invited you and join there: it shows that you read this mailbox today.',
  endInPast: 'The end lies in the past.',
  ofOrganization: 'This application belongs to an organization. Only its Super Admins can change it.',
  noSecret: 'This application has no secret: it has public keys, or it runs on people’s devices.',
  notActive: 'Only an active member can become Super Admin.',
  superAdminOfApplications: 'Only a Super Admin may manage applications.',
  webhookTaken: 'There is a webhook with this address already.',
  superAdminOfWebhooks: 'Only a Super Admin may manage webhooks.',
  superAdminOfData: 'Only a Super Admin may download the organization’s data.',
  superAdminOfSecondSteps: 'Only a Super Admin may see and set which second step members need.',
  ownSecondStepFirst: 'Sign in with such a second step yourself first, or you would lock yourself out.',
  strongStepFirst:
    'One of your organizations requires a second step. Sign in with your passkey or authenticator app, or with a recovery code, before you add or remove a way in.',
  codeUsed: 'This code was used already. Please wait for the next one.',
  waitsForErasure: 'Their account waits for its erasure: restore it first.',
} as const;
