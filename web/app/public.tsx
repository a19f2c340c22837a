import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { PublicEntry } from '#web/app/public-entry.tsx';
import { pages } from '#web/app/public-pages.ts';
import { loadAnewWhenRestored } from '#web/app/restored.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { goTo } from '#web/lib/navigate.ts';

const path = location.pathname;
const load = (pages as Partial<typeof pages>)[path as keyof typeof pages];
const root = document.getElementById('root');

loadAnewWhenRestored();

if (!load) goTo('/', { replace: true });
else if (root) {
  // Asked for before anything is drawn, so that the page's chunk comes while the frame is built.
  const loading = load();
  const entry = (first?: PublicPage) => <PublicEntry loading={loading} framed={path !== '/'} first={first} />;
  const build = () => createRoot(root).render(entry());
  const takeOver = ({ page }: { page: PublicPage }) => {
    // In slices, so that a slow phone answers meanwhile; what is pressed is taken over first.
    startTransition(() => void hydrateRoot(root, entry(page)));
    delete root.dataset['drawn'];
  };
  // What the server has drawn whole is taken over as it stands, with what somebody may have typed meanwhile.
  if ('drawn' in root.dataset)
    loading.then(takeOver, () => {
      delete root.dataset['drawn'];
      build();
    });
  else build();
}
