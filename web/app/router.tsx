// The routes of the signed-in area, and the code and data that each page loads.
import { createRootRoute, createRoute, createRouter, redirect, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { OWN_SEGMENT, type PagePath } from '#contract/pages.ts';
import { areaText } from '#words/area.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { goTo } from '#web/lib/navigate.ts';
import { hasUnsaved } from '#web/lib/unsaved.ts';
import { late } from '#web/ui/late.tsx';
import { mayLeave } from './popups.tsx';
import { type Carried, COMPANY_ENTRY_PATH, land, SECOND_STEP_PATH } from './landing.ts';
import { PageFailed } from './failed.tsx';
import {
  isOfAccount,
  pagesFor,
  type OwnPageName,
  ownPageNames,
  ownPages,
  pageAt,
  pageOf,
  pagePaths,
  pages,
} from './pages.ts';
import { loadPageAt, sessionNow, showChangedOrganization, showChangedUser } from './queries.ts';
import { closedBySecondStep, leaveNowhere, stayWhileLeaving } from './session.ts';
import { callerOf, useSession } from './session-context.ts';
import { Shell } from './shell.tsx';
import { rememberedSegment } from './storage.ts';

const rootRoute = createRootRoute({
  component: Shell,
  beforeLoad: ({ location }) => {
    const session = sessionNow();
    if (!session) return stayWhileLeaving();
    const { rank } = callerOf(session);
    const landing = land({
      path: location.pathname,
      search: location.searchStr,
      current: session.current,
      closed: closedBySecondStep(session),
      needsEntry: session.needsEntry ?? [],
      isReduced: session.user.isReduced === true,
      pages: session.current ? pagesFor(rank) : ownPageNames,
      firstPage: 'myprofile',
      isPage: (path) => pageAt(path) !== undefined,
      remembered: rememberedSegment.read(),
    });
    if (landing.go === 'page') {
      if (landing.isUnknown) showAlert({ kind: 'warning', text: areaText.nothingThere });
      throw toPage(session.current?.urlName ?? '', landing.page);
    }
    if (landing.go === 'onboarding')
      throw redirect({ to: '/onboarding', search: landing.search, replace: true });
    if (landing.go === 'second step' || landing.go === 'company entry')
      throw redirect({
        to: landing.go === 'second step' ? SECOND_STEP_PATH : COMPANY_ENTRY_PATH,
        search: {
          ...(landing.org && { org: landing.org }),
          ...(landing.page && { redirectpath: landing.page }),
        },
        replace: true,
      });
    if (landing.go === 'stay') return undefined;
    leaveNowhere(location.pathname);
    return stayWhileLeaving();
  },
});

// Few people come through a company only.
const AccountProof = late(async () => (await import('./account-proof.tsx')).AccountProof);

const toPage = (orgId: string, page: string) => {
  const to: string = `/${orgId}/${page}`;
  return redirect({ to, hash: true, replace: true });
};

const organizationRoute = createRoute({ getParentRoute: () => rootRoute, path: '$orgId' });
const codeOf = (Page: { preload: () => Promise<unknown> }) => ({
  loader: async () => void (await Page.preload()),
  errorComponent: PageFailed,
});

const pageRoute = <const Path extends PagePath>(path: Path) => {
  const { Page } = pageOf(path);
  return createRoute({
    getParentRoute: () => organizationRoute,
    path,
    ...codeOf(Page),
    component: function OrganizationPage() {
      const session = useSession();
      const caller = useMemo(() => callerOf(session), [session]);
      const { id } = useParams({ strict: false });
      if (!session.current) return null;
      if (session.user.isReduced && isOfAccount(path)) return <AccountProof title={pageOf(path).label} />;
      return (
        <Page
          // Another role or application mounts a new page, so that typed values do not reach it.
          key={id}
          organization={session.current}
          user={session.user}
          caller={caller}
          id={id === undefined ? undefined : Number(id)}
          onUserChanged={showChangedUser}
          onOrganizationChanged={showChangedOrganization}
        />
      );
    },
  });
};

/** A type for each path, because links to some of them need an id. */
type PageRoute<Path> = Path extends PagePath ? ReturnType<typeof pageRoute<Path>> : never;

const ownRoute = createRoute({ getParentRoute: () => rootRoute, path: OWN_SEGMENT });

const ownPageRoute = <const Name extends OwnPageName>(name: Name) => {
  const { Page } = ownPages[name];
  return createRoute({
    getParentRoute: () => ownRoute,
    path: name,
    ...codeOf(Page),
    component: function OwnPage() {
      const { user } = useSession();
      if (user.isReduced) return <AccountProof title={pages[name].label} />;
      return <Page user={user} onUserChanged={showChangedUser} />;
    },
  });
};

type OwnPageRoute<Name> = Name extends OwnPageName ? ReturnType<typeof ownPageRoute<Name>> : never;

type Asked = { org?: string; redirectpath?: string };
const SecondStepPage = late(async () => (await import('./second-step-page.tsx')).SecondStepPage);
const secondStepRoute = createRoute({
  getParentRoute: () => ownRoute,
  path: 'secondstep',
  validateSearch: (search: Record<string, unknown>): Asked => search,
  component: () => <SecondStepPage />,
  ...codeOf(SecondStepPage),
});

const CompanyEntryPage = late(async () => (await import('./company-entry.tsx')).CompanyEntryPage);
const companyEntryRoute = createRoute({
  getParentRoute: () => ownRoute,
  path: 'companyentry',
  validateSearch: (search: Record<string, unknown>): Asked => search,
  component: () => <CompanyEntryPage />,
  ...codeOf(CompanyEntryPage),
});
const CompanyLinkPage = late(async () => (await import('./company-link-page.tsx')).CompanyLinkPage);
const companyLinkRoute = createRoute({
  getParentRoute: () => ownRoute,
  path: 'companylink',
  validateSearch: (search: Record<string, unknown>): { visit?: string } => search,
  component: () => <CompanyLinkPage />,
  ...codeOf(CompanyLinkPage),
});

const SocialLinkPage = late(async () => (await import('./social-link-page.tsx')).SocialLinkPage);
const socialLinkRoute = createRoute({
  getParentRoute: () => ownRoute,
  path: 'sociallink',
  validateSearch: (search: Record<string, unknown>): { visit?: string } => search,
  component: () => <SocialLinkPage />,
  ...codeOf(SocialLinkPage),
});

const OnboardingRoute = late(async () => (await import('./onboarding-route.tsx')).OnboardingRoute);
const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'onboarding',
  validateSearch: (search: Record<string, unknown>): Partial<Carried> => search,
  component: () => <OnboardingRoute />,
  ...codeOf(OnboardingRoute),
});

/** Query values stay plain text, because other applications must get them back unchanged. */
const plainSearch = {
  parseSearch: (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (values: Record<string, string>) => {
    const query = new URLSearchParams(values).toString();
    return query === '' ? '' : `?${query}`;
  },
};

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    organizationRoute.addChildren(pagePaths.map((path) => pageRoute(path) as PageRoute<typeof path>)),
    ownRoute.addChildren([
      ...ownPageNames.map((name) => ownPageRoute(name) as OwnPageRoute<typeof name>),
      secondStepRoute,
      companyEntryRoute,
      companyLinkRoute,
      socialLinkRoute,
    ]),
    onboardingRoute,
  ]),
  defaultPreload: 'intent',
  ...plainSearch,
});

let latestHref: string | undefined;
// Until the page's code has loaded, a failure leaves the person where they are. The latest navigation wins.
router.history.block({
  enableBeforeUnload: hasUnsaved,
  blockerFn: async ({ action, currentLocation, nextLocation: { pathname, href } }) => {
    // A page that changes only its own query, such as a filter, does not navigate.
    if (pathname === currentLocation.pathname) return false;
    latestHref = href;
    const isLoaded = await loadPageAt(pathname, () => goTo(href));
    const isOutdated = action === 'PUSH' && href !== latestHref;
    return !isLoaded || isOutdated || !(await mayLeave());
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
