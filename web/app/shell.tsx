import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useIsFetching } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { product } from '#contract/product.ts';
import { organizationText } from '#words/organization.ts';
import { areaText } from '#words/area.ts';
import { arriveAt } from '#web/lib/arrive.ts';
import { classNames } from '#web/ui/class-names.ts';
import { late } from '#web/ui/late.tsx';
import { LoaderBar } from '#web/ui/loader-bar.tsx';
import { ConfirmBanner } from './confirm-banner.tsx';
import { useFavicon } from './favicon.ts';
import { Header } from './header.tsx';
import { isOwnPath, SECOND_STEP_PATH, segmentToRemember } from './landing.ts';
import { PageLinks } from './page-links.tsx';
import { pageAt, pageOf } from './pages.ts';
import { Popups } from './popups.tsx';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';
import { rememberedSegment } from './storage.ts';

const SecondStepBanner = late(async () => (await import('./second-step-banner.tsx')).SecondStepBanner);

const CodeUsedBanner = late(async () => (await import('./code-used-banner.tsx')).CodeUsedBanner);
const TermsBanner = late(async () => (await import('./terms-banner.tsx')).TermsBanner);

export function Shell() {
  const { current, others, awaiting, newTerms, codesLeft } = useSession();
  const main = useRef<HTMLElement>(null);
  // The path of the rendered page, not of one that is still loading.
  const path = useRouterState({
    select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname,
  });
  const mayAwait = awaiting !== undefined || (current === null && others.length > 0);
  const hasMenu = current !== null || isOwnPath(path);
  const loading = useIsFetching({ queryKey: ['page'] }) > 0;
  useFavicon(current);
  usePageArrival(path, current?.applicationName ?? product.name, main);
  return (
    <div className={classNames(styles.shell, !hasMenu && styles.withoutMenu)}>
      <a href="#main" className={classNames('visually-hidden', styles.skip)}>
        {areaText.skipToContent}
      </a>
      <Header hasMenu={hasMenu} />
      <div className={styles.loader}>
        <LoaderBar active={loading} />
      </div>
      {hasMenu && (
        <div className={styles.side}>
          <div className={styles.sideList}>
            <PageLinks organization={current} />
          </div>
        </div>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <div className={styles.content}>
          <ConfirmBanner />
          {codesLeft !== undefined && <CodeUsedBanner left={codesLeft} />}
          {newTerms && <TermsBanner newTerms={newTerms} />}
          {mayAwait && path !== SECOND_STEP_PATH && <SecondStepBanner />}
          <Outlet />
        </div>
      </main>
      <Popups offersPasskey={path !== SECOND_STEP_PATH} />
    </div>
  );
}

function titleOf(path: string) {
  const page = pageAt(path);
  if (page) return pageOf(page).label;
  if (path === SECOND_STEP_PATH) return areaText.secondStep;
  return isOwnPath(path) ? areaText.companySignIn : organizationText.onboardingTitle;
}

function usePageArrival(path: string, application: string, main: RefObject<HTMLElement | null>) {
  const router = useRouter();
  useEffect(() => {
    document.title = areaText.title({ page: titleOf(path), application });
    rememberedSegment.keep(segmentToRemember(path));
  }, [path, application]);
  useEffect(() => {
    arriveAt(router.latestLocation.hash);
    return router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged, hashChanged }) => {
      if (fromLocation === undefined) return;
      if (pathChanged) {
        const heading = main.current?.querySelector('h1');
        heading?.setAttribute('tabindex', '-1');
        (heading ?? main.current)?.focus({ preventScroll: true });
        scrollTo(0, 0);
      }
      if (pathChanged || hashChanged) arriveAt(toLocation.hash);
    });
  }, [router, main]);
}
