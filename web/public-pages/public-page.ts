import type { ComponentType } from 'react';

export type PublicPage = { readonly title: string; readonly View: ComponentType };
