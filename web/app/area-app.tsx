import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { areaText } from '#words/area.ts';
import { spokenLanguage } from '#words/language.ts';
import { startBeacon } from './beacon.ts';
import { nextMessage, whyLeft } from '#web/lib/stored-text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Brand } from '#web/ui/mark.tsx';
import { watchForInteraction } from '#web/ui/late.tsx';
import { AreaSkeleton } from './area-skeleton.tsx';
import { Failed } from './failed.tsx';
import { takeBackLateWords } from './late-words.ts';
import { queryClient, sessionQuery } from './queries.ts';
import { router } from './router.tsx';
import { callerOf, SessionContext } from './session-context.ts';
import { isToConfirm } from './session.ts';
import styles from './shell.module.css';
import { rememberShell } from './storage.ts';

export function AreaApp() {
  const app = (
    // Keeps Base UI from adding style elements, which our content policy forbids.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <AreaContent />
      </QueryClientProvider>
      <AlertHost belowHeader />
    </CSPProvider>
  );
  // A constant of the build, so that other languages do not load the provider.
  if (spokenLanguage.direction !== 'rtl') return app;
  return <DirectionProvider direction="rtl">{app}</DirectionProvider>;
}

function AreaContent() {
  const { data: session, isError, isFetching, refetch } = useQuery(sessionQuery);
  const hasSession = Boolean(session);
  const [isReady, setReady] = useState(false);
  useEffect(() => (hasSession ? startBeacon(refetchSession) : undefined), [hasSession]);
  useEffect(() => {
    if (session) rememberShell({ menu: session.current !== null, banner: isToConfirm(session.user) });
  }, [session]);
  useEffect(() => {
    if (hasSession || isError) takeBackLateWords();
  }, [hasSession, isError]);
  // Re-run route guards only when rank or organization changed: `invalidate()` also scrolls to the top.
  const standing = session && `${callerOf(session).rank} in ${session.current?.urlName}`;
  useEffect(() => {
    if (!standing) return;
    // Keep the skeleton until the first page is loaded.
    void router.invalidate().finally(() => setReady(true));
  }, [standing]);
  // Until the router renders, it does not notice back and forward.
  useEffect(() => {
    if (isReady) return undefined;
    return router.history.subscribe((change) => void router.load(change));
  }, [isReady]);
  useEffect(() => {
    if (isReady) watchForInteraction();
  }, [isReady]);
  useEffect(showPendingMessages, []);
  if (session && isReady) {
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
          <Brand />
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

/** Refetches the session. If it has ended, the query cache leaves the page. */
const refetchSession = () => void queryClient.invalidateQueries(sessionQuery);

function showPendingMessages() {
  const news = nextMessage.read();
  nextMessage.forget();
  if (news !== null) showAlert({ kind: 'success', text: news });
  const why = whyLeft.read();
  whyLeft.forget();
  if (why !== null) showAlert({ kind: 'warning', text: why });
}
