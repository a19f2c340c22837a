import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const COOKIE = 'portico-theme';
const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The cookie by which the server draws the next page in the chosen theme; for `system` it is taken back. */
export function themeCookie(theme: Theme, secure: boolean): string {
  const life = theme === 'system' ? 0 : ONE_YEAR_SECONDS;
  return `${COOKIE}=${theme}; path=/; max-age=${life}; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The choice this page was drawn with. */
function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows the page in the chosen theme and remembers the choice. */
function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = themeCookie(theme, location.protocol === 'https:');
}

/** The theme choice and its setter, for the account menu. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return [theme, choose];
}
