/** The words inherent to the domain-free parts in `web/ui`. */
export const uiText = {
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  loading: 'Loading…',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  showOptions: 'Show options',
  noMatches: 'No matches',
  tryAgain: 'Try again',
  tryAgainIn: 'You can try again in {wait}.',
  wentWrong: 'Oops! Something went wrong',
  loadFailed: 'This could not be loaded',
  loadFailedHint: 'Check your connection and try again.',
  breadcrumb: 'You are here',
  placesCredit: 'IP Geolocation by DB-IP',
  opensNewTab: '(opens in a new tab)',
} as const;
