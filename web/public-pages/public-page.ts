import type { ComponentType } from 'react';

/** Each chunk of the public entry exports this as `page`. */
export type PublicPage = { readonly title: string; readonly View: ComponentType };
