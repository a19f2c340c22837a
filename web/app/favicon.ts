import { useEffect } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';

/** Uploaded icons are under `/drive/`. Other addresses are the portal's default icons. */
export const hasOwnIcons = ({ darkIcon, lightIcon }: Organization) =>
  darkIcon.startsWith('/drive/') || lightIcon.startsWith('/drive/');

export function useFavicon(organization: Organization | null) {
  const branded = organization && hasOwnIcons(organization) ? organization : null;
  const { darkIcon, lightIcon } = branded ?? {};
  useEffect(() => {
    if (darkIcon === undefined || lightIcon === undefined) return undefined;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const before = link?.href;
    const isDark = matchMedia('(prefers-color-scheme: dark)');
    const show = () => {
      link?.removeAttribute('type');
      link?.setAttribute('href', isDark.matches ? darkIcon : lightIcon);
    };
    show();
    isDark.addEventListener('change', show);
    return () => {
      isDark.removeEventListener('change', show);
      if (before !== undefined) link?.setAttribute('href', before);
    };
  }, [darkIcon, lightIcon]);
}
