import type { ComponentType } from 'react';

/** What each chunk of the public entry exports as `page`. */
export type PublicPage = { readonly title: string; readonly View: ComponentType };
