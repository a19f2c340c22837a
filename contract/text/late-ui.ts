/** Words of the parts in `web/ui` that the first view of a public page does not need. */
export const lateUiText = {
  showOptions: 'Show options',
  noMatches: 'No matches',
  breadcrumb: 'You are here',
  placesCredit: 'IP Geolocation by DB-IP',
  opensNewTab: '(opens in a new tab)',
} as const;
