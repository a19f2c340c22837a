/** The words of refusals, as somebody with an invitation understands them. */
export const gone = {
  details: 'This invitation is no longer available. It was answered, withdrawn or sent anew.',
};
export const outOfDate = { details: 'This invitation is out of date. Ask for a new one.' };
export const notYours = { details: 'This invitation is for another address.' };
export const hasAccount = {
  details: 'You have an account already. Please sign in to answer this invitation.',
};

/** What the reader of an invitation can do with it. */
export function stateOf(
  person: { readonly userId: number; readonly hasCome: boolean },
  callerId: number | undefined,
): 'open' | 'sign_in' | 'create_password' | 'other_account' {
  if (callerId === person.userId) return 'open';
  if (callerId !== undefined) return 'other_account';
  return person.hasCome ? 'sign_in' : 'create_password';
}
