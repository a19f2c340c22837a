import type { ReactNode } from 'react';

const link = (href: string) => (words: ReactNode) => (
  <a href={href} target="_blank" rel="noreferrer">
    {words}
  </a>
);

/** The links in texts about the operator's terms. A new tab keeps what is typed here. */
export const legalLinks = ({ terms, privacy }: { readonly terms: string; readonly privacy: string }) => ({
  terms: link(terms),
  privacy: link(privacy),
});
