import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { goTo } from '#web/lib/navigate.ts';
import { hasUnsaved } from '#web/lib/unsaved.ts';
import { mayLeave } from './discard-popup.tsx';
import { type Carried, land } from './landing.ts';
import { PageFailed } from './page-failed.tsx';
import { openPages, type PageName } from './pages.ts';
import { loadPageAt, pageQuery, queryClient, showChangedUser } from './queries.ts';
import { type Session, stayWhileLeaving } from './session.ts';
import { useSession } from './session-context.ts';
import { Shell } from './shell.tsx';
import { rememberedSegment } from './storage.ts';

const rootRoute = createRootRouteWithContext<{ session: Session }>()({
  component: Shell,
  beforeLoad: ({ context: { session }, location }) => {
    const landing = land({
      path: location.pathname,
      search: location.searchStr,
      current: session.current,
      pages: session.current ? openPages(session.current) : [],
      firstPage: 'myprofile',
      remembered: rememberedSegment.read(),
    });
    if (landing.go === 'page') throw toPage(session.current?.urlName ?? '', landing.page);
    if (landing.go === 'onboarding')
      throw redirect({ to: '/onboarding', search: landing.search, replace: true });
    if (landing.go === 'stay') return undefined;
    goTo('/', { replace: true });
    return stayWhileLeaving();
  },
});

const toPage = (orgId: string, page: PageName) =>
  redirect({ to: `/$orgId/${page}`, params: { orgId }, replace: true });

const organizationRoute = createRoute({ getParentRoute: () => rootRoute, path: '$orgId' });

const pageRoute = <const Name extends PageName>(name: Name) =>
  createRoute({
    getParentRoute: () => organizationRoute,
    path: name,
    loader: () => queryClient.ensureQueryData(pageQuery(name)),
    errorComponent: PageFailed,
    component: function OrganizationPage() {
      const { current, user } = useSession();
      const Page = queryClient.getQueryData(pageQuery(name).queryKey);
      return current && Page && <Page organization={current} user={user} onUserChanged={showChangedUser} />;
    },
  });

const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'onboarding',
  validateSearch: (search: Record<string, unknown>): Partial<Carried> => search,
  errorComponent: PageFailed,
  component: lazyRouteComponent(() => import('./onboarding-route.tsx'), 'OnboardingRoute'),
});

/** Plain text both ways: what is carried for other applications must come out as it went in. */
const plainSearch = {
  parseSearch: (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (values: Record<string, string>) => {
    const query = new URLSearchParams(values).toString();
    return query === '' ? '' : `?${query}`;
  },
};

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    organizationRoute.addChildren([pageRoute('myapps'), pageRoute('myprofile')]),
    onboardingRoute,
  ]),
  context: { session: undefined as unknown as Session },
  defaultPreload: 'intent',
  ...plainSearch,
});

// The address changes only once the page's code is here: a failure leaves the person where they are.
router.history.block({
  enableBeforeUnload: hasUnsaved,
  blockerFn: async ({ currentLocation, nextLocation: { pathname, href } }) => {
    if (pathname === currentLocation.pathname) return false;
    const isLoaded = await loadPageAt(pathname, () => goTo(href));
    return !isLoaded || !(await mayLeave());
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
