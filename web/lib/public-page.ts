import type { ComponentType } from 'react';

/** What the public entry tells a page: which others there are, so that none links to one that is missing. */
export type PublicPageProps = { hasPage: (path: string) => boolean };

/** What each chunk of the public entry exports as `page`. */
export type PublicPage = { readonly title: string; readonly View: ComponentType<PublicPageProps> };
