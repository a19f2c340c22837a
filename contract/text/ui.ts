/** Words of the domain-free parts in `web/ui`. Parts that no public page needs have `late-ui.ts`. */
export const uiText = {
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  loading: 'Loading…',
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  tryAgain: 'Try again',
  tryAgainIn: 'You can try again in {wait}.',
  wentWrong: 'Oops! Something went wrong',
  loadFailed: 'This could not be loaded',
  notLoadedHint: 'Please try again.',
} as const;
