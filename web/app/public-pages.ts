import type { publicPages } from '#contract/pages.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';

type Load = () => Promise<{ page: PublicPage }>;

/** Every public page by path, each a chunk of its own. `publicPages` in the contract lists the paths. */
export const pages = {
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
} satisfies Record<'/' | (typeof publicPages)[number], Load>;
