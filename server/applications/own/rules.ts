import type { Details } from '#contract/activity/recorded.ts';

export type OwnSettings = {
  readonly name: string;
  readonly description: string;
  readonly startUrl: string;
  readonly redirectUrls: readonly string[];
  readonly signedOutUrls: readonly string[];
  readonly signOutUrl: string;
  readonly isForEveryone: boolean;
};
type Own = OwnSettings & { readonly kind: string; readonly roles: string };

export const columnsOf = (settings: OwnSettings) => ({
  name: settings.name,
  description: settings.description,
  start_url: settings.startUrl || null,
  redirect_urls: [...settings.redirectUrls],
  signed_out_urls: [...settings.signedOutUrls],
  sign_out_url: settings.signOutUrl || null,
  is_for_everyone: settings.isForEveryone,
});

/** The settings as the activity log writes them. A list is one text, so that equal lists compare as equal. */
export const recordedSettings = (own: Own): Details => ({
  name: own.name,
  kind: own.kind,
  description: own.description,
  start_url: own.startUrl,
  redirect_urls: own.redirectUrls.join(', '),
  signed_out_urls: own.signedOutUrls.join(', '),
  sign_out_url: own.signOutUrl,
  is_for_everyone: own.isForEveryone,
  roles: own.roles,
});
