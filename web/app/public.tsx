import { createRoot } from 'react-dom/client';
import '#web/ui/base.css';
import type { publicPages } from '#contract/pages.ts';
import { PublicEntry } from '#web/app/public-entry.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { goTo } from '#web/lib/navigate.ts';

type Load = () => Promise<{ page: PublicPage }>;

/** Every page of this entry by its path, each a chunk of its own; the contract lists which there are. */
const pages: Readonly<Record<string, Load>> = {
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
  '/support': () => import('#web/accounts/support-page.tsx'),
  '/closetab': () => import('#web/sign-in/close-tab-page.tsx'),
} satisfies Record<'/' | (typeof publicPages)[number], Load>;

const path = location.pathname;
const load = pages[path];
const root = document.getElementById('root');

// The back button may bring a page back as it was: still busy, or asking somebody to sign in who has.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

if (!load) goTo('/', { replace: true });
else if (root) {
  // Asked for before anything is drawn, so that the page's chunk comes while the frame is built.
  const loading = load();
  createRoot(root).render(<PublicEntry loading={loading} framed={path !== '/'} />);
}
