export type OwnSettings = {
  readonly name: string;
  readonly description: string;
  readonly startUrl: string;
  readonly redirectUrls: readonly string[];
  readonly signedOutUrls: readonly string[];
  readonly signOutUrl: string;
  readonly isForEveryone: boolean;
};

/** The settings as the activity log writes them. A list is one text, so that equal lists compare as equal. */
export const recordedSettings = (settings: OwnSettings, roleNames: readonly string[]) => ({
  name: settings.name,
  description: settings.description,
  start_url: settings.startUrl,
  redirect_urls: settings.redirectUrls.join(', '),
  signed_out_urls: settings.signedOutUrls.join(', '),
  sign_out_url: settings.signOutUrl,
  is_for_everyone: settings.isForEveryone,
  roles: settings.isForEveryone ? '' : roleNames.join(', '),
});

const ADDRESSES = ['startUrl', 'redirectUrls', 'signedOutUrls', 'signOutUrl'] as const;
type Addresses = Pick<OwnSettings, (typeof ADDRESSES)[number]>;
/** Whether people or codes go to another address than before. */
export const isMoved = (before: Addresses, after: Addresses) =>
  ADDRESSES.some((name) => String(before[name]) !== String(after[name]));
