import { useState } from 'react';
import { THEME_COOKIE } from '#contract/site.ts';

export type Theme = 'system' | 'light' | 'dark';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The cookie by which the server renders the next page in the chosen theme. For `system` it is deleted. */
export function themeCookie(theme: Theme, secure: boolean): string {
  const life = theme === 'system' ? 0 : ONE_YEAR_SECONDS;
  return `${THEME_COOKIE}=${theme}; path=/; max-age=${life}; SameSite=Lax${secure ? '; Secure' : ''}`;
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = themeCookie(theme, location.protocol === 'https:');
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return [theme, choose];
}
