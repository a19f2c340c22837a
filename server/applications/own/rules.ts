import type { ApplicationKind } from '#contract/applications/registration.ts';
import { addressText } from '#contract/text/registration.ts';

/** Kinds that run where nobody can read a secret. The others prove themselves without one, by PKCE. */
export const keepsSecret = (kind: ApplicationKind) => kind === 'web' || kind === 'server';

type Addresses = { readonly kind: ApplicationKind; readonly redirectUrls: readonly string[] };
/** The message for the redirect addresses, if people could not come back to the application. */
export const redirectsMissing = ({ kind, redirectUrls }: Addresses) =>
  kind !== 'server' && redirectUrls.length === 0 ? addressText.noRedirect : undefined;

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
