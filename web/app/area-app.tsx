import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { areaText } from '#contract/text/area.ts';
import { fill } from '#contract/text.ts';
import { startBeacon } from '#web/lib/beacon.ts';
import { said } from '#web/lib/said.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Brand } from '#web/ui/mark.tsx';
import { UiProvider } from '#web/ui/ui-provider.tsx';
import { AreaSkeleton } from './area-skeleton.tsx';
import { Failed } from './failed.tsx';
import { takeBackLateWords } from './late-words.ts';
import { queryClient, sessionQuery } from './queries.ts';
import { router } from './router.tsx';
import { callerOf, SessionContext } from './session-context.ts';
import { shutOutOf } from './storage.ts';
import styles from './shell.module.css';
import { rememberShell } from './storage.ts';

/** The signed-in area, from the first look at the session on. */
export function AreaApp() {
  return (
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <Opened />
      </QueryClientProvider>
      <AlertHost belowHeader />
    </UiProvider>
  );
}

function Opened() {
  const { data: session, isError, isFetching, refetch } = useQuery(sessionQuery);
  const opened = Boolean(session);
  const [arrived, setArrived] = useState(false);
  useEffect(() => (opened ? startBeacon() : undefined), [opened]);
  useEffect(() => session && rememberShell(session), [session]);
  useEffect(() => {
    if (opened || isError) takeBackLateWords();
  }, [opened, isError]);
  // What a change elsewhere takes away is led away from; the router looks only when it is told to, and scrolls to the
  // top as it does: so not for every look at the session, nor for what is saved.
  const standing = session && `${callerOf(session).rank} in ${session.current?.urlName}`;
  useEffect(() => {
    if (!standing) return;
    // The first page is there before it takes the skeleton's place.
    void router.invalidate().finally(() => setArrived(true));
  }, [standing]);
  // Until the router is drawn it does not hear of those who go back or forward.
  useEffect(() => {
    if (arrived) return undefined;
    return router.history.subscribe((change) => void router.load(change));
  }, [arrived]);
  useEffect(sayWhy, []);
  if (session && arrived) {
    return (
      <SessionContext value={session}>
        <RouterProvider router={router} />
      </SessionContext>
    );
  }
  if (session || !isError) return <AreaSkeleton />;
  return (
    <div className={classNames(styles.shell, styles.withoutMenu)}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <Brand>{PRODUCT_NAME}</Brand>
        </span>
      </header>
      <main>
        <Failed
          title={areaText.areaFailed}
          hint={`${whyNotLoaded()} ${areaText.nothingLost}`}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </main>
    </div>
  );
}

/** Said once, on the first page after the organization that was left or that closed. */
function sayWhy() {
  const news = said.read();
  said.forget();
  if (news !== null) showAlert({ kind: 'success', text: news });
  const name = shutOutOf.read();
  if (name === null) return;
  shutOutOf.forget();
  showAlert({ kind: 'warning', text: fill(areaText.shutOut, { name }) });
}
