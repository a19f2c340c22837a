import { parentPort, workerData } from 'node:worker_threads';
import { renderToString } from 'react-dom/server';
import type { DrawnPage, publicPages } from '#contract/pages.ts';
import type { Site } from '#contract/site.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';

const pages = {
  '/': () => import('#web/organizations/home-page.tsx'),
  '/signup': () => import('#web/accounts/signup-page.tsx'),
  '/login': () => import('#web/sign-in/login-page.tsx'),
  '/verifyaccount': () => import('#web/accounts/verify-account-page.tsx'),
  '/verifyemail': () => import('#web/accounts/verify-email-page.tsx'),
  '/invitation': () => import('#web/members/invitation-page.tsx'),
  '/forgotpassword': () => import('#web/sign-in/forgot-password-page.tsx'),
  '/resetpassword': () => import('#web/sign-in/reset-password-page.tsx'),
  '/notme': () => import('#web/sign-in/not-me-page.tsx'),
  '/createpassword': () => import('#web/sign-in/create-password-page.tsx'),
  '/restoreaccount': () => import('#web/accounts/restore-account-page.tsx'),
  '/restoreemail': () => import('#web/sign-in/restore-email-page.tsx'),
  '/support': () => import('#web/accounts/support-page.tsx'),
  '/farewell': () => import('#web/accounts/farewell-page.tsx'),
  '/authorize': () => import('#web/applications/authorize-page.tsx'),
  '/signout': () => import('#web/applications/sign-out-page.tsx'),
  '/closetab': () => import('#web/sign-in/close-tab-page.tsx'),
} satisfies Record<'/' | (typeof publicPages)[number], () => Promise<{ page: PublicPage }>>;

// Prerenders the public pages in a language. The server runs this in a worker thread and passes its settings.
const currentSite: { -readonly [K in keyof Site]: Site[K] } = (workerData as { site: Site }).site;
globalThis.drawnSite = currentSite;
// These read the settings when they are loaded.
const { PublicEntry } = await import('#web/app/public-entry.tsx');
const { titleOf } = await import('#web/public-pages/title.ts');

const placeholders = {
  sentence: '{{sentence}}',
  publisher: '{{publisher}}',
  letter: '{{letter}}',
  icon: '{{icon}}',
};

const drawnPages = Object.entries(pages).map(async ([path, load]): Promise<[string, DrawnPage]> => {
  const loading = load();
  const { page } = await loading;
  const draw = (first?: PublicPage) =>
    renderToString(<PublicEntry loading={loading} framed={path !== '/'} first={first} />)
      // The pictures stand right behind these.
      .replaceAll(/<link rel="preload" as="image"[^>]*>/g, '');
  currentSite.destination = placeholders;
  const named = draw(page);
  currentSite.destination = null;
  return [path, { title: titleOf(page.title), whole: draw(page), frame: draw(), named }];
});
parentPort?.postMessage(Object.fromEntries(await Promise.all(drawnPages)), []);
