import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { PublicEntry } from '#web/app/public-entry.tsx';
import { pages } from '#web/app/public-pages.ts';
import { loadAnewWhenRestored } from '#web/app/restored.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { goTo } from '#web/lib/navigate.ts';

const path = location.pathname;
const load = (pages as Partial<typeof pages>)[path as keyof typeof pages];
const root = document.getElementById('root');

loadAnewWhenRestored();

if (!load) goTo('/', { replace: true });
else if (root) {
  // Start loading the page's chunk before the frame renders.
  const loading = load();
  const entry = (first?: PublicPage) => <PublicEntry loading={loading} framed={path !== '/'} first={first} />;
  const build = () => createRoot(root).render(entry());
  const takeOver = ({ page }: { page: PublicPage }) => {
    // A transition hydrates in slices, so that a slow phone stays responsive. React hydrates pressed parts
    // first.
    startTransition(() => void hydrateRoot(root, entry(page)));
    delete root.dataset['drawn'];
  };
  // Hydrate a page that the server rendered whole, and keep what the person has typed.
  if ('drawn' in root.dataset)
    loading.then(takeOver, () => {
      delete root.dataset['drawn'];
      build();
    });
  else build();
}
