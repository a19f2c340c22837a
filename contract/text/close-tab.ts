/** The last page of a sign-in that began elsewhere. */
export const closeTabText = {
  title: 'You can close this tab',
  lead: 'All done here. Go on where you came from.',
  close: 'Close this tab',
  byHand: 'Your browser lets only you close this tab. Please close it by hand.',
  stay: 'Or stay and go to {product}',
} as const;
