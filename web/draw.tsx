import { parentPort, workerData } from 'node:worker_threads';
import { renderToString } from 'react-dom/server';
import type { DrawnPage } from '#contract/pages.ts';
import type { Site } from '#contract/site.ts';
import { PublicEntry } from '#web/app/public-entry.tsx';
import { pages } from '#web/app/public-pages.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { titleOf } from '#web/public-pages/title.ts';

// Prerenders the public pages. The server runs this in a worker thread and passes its settings.
globalThis.drawnSite = workerData as Site;

const drawnPages = Object.entries(pages).map(async ([path, load]): Promise<[string, DrawnPage]> => {
  const loading = load();
  const { page } = await loading;
  const draw = (first?: PublicPage) =>
    renderToString(<PublicEntry loading={loading} framed={path !== '/'} first={first} />);
  return [path, { title: titleOf(page.title), whole: draw(page), frame: draw() }];
});
parentPort?.postMessage(Object.fromEntries(await Promise.all(drawnPages)), []);
