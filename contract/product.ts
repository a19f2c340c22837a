import { PRODUCT_NAME } from './limits.ts';

export type Icons = { readonly darkIcon: string; readonly lightIcon: string };

declare global {
  var knownProduct: { name: string; icons: Icons | null } | undefined;
}

/**
 * The name and the logo of this portal. Pages fill them in from their settings, and the server from its brand. All copies
 * of this module share them, because languages are loaded late and apart.
 */
export const product = (globalThis.knownProduct ??= { name: PRODUCT_NAME, icons: null });
