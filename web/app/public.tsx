import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { takeLanguages } from './language-row.ts';
import { PublicEntry } from './public-entry.tsx';
import { loadAnewWhenRestored } from './restored.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { goTo } from '#web/lib/navigate.ts';

const isFramed = location.pathname !== '/';
// The server names the file of the page.
const file = document.querySelector<HTMLLinkElement>('#page')?.href;
const root = document.getElementById('root');

loadAnewWhenRestored();
takeLanguages();

if (file === undefined) goTo('/', { replace: true });
else if (root) {
  // Start loading the page's chunk before the frame renders.
  const loading = import(/* @vite-ignore */ file) as Promise<{ page: PublicPage }>;
  const entry = (first?: PublicPage) => <PublicEntry loading={loading} framed={isFramed} first={first} />;
  const show = (first?: PublicPage) => {
    // A transition hydrates in slices, so that a slow phone stays responsive. React hydrates pressed parts first.
    if (first) startTransition(() => void hydrateRoot(root, entry(first)));
    else createRoot(root).render(entry());
    delete root.dataset['drawn'];
  };
  // Keeps what the person has typed. In another task than the page's modules, which have just run.
  if ('drawn' in root.dataset)
    loading.then(
      ({ page }) => setTimeout(show, 0, page),
      () => show(),
    );
  else show();
}
