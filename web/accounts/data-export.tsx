import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { dataExport } from '#contract/data-export.ts';
import { dayIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import { dataExportPageText as text } from '#contract/text/data-export-page.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import { call } from '#web/lib/call.ts';
import { useCall } from '#web/lib/use-call.ts';
import { sizeWords, useDownload } from '#web/lib/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './delete-account.module.css';
import { NotLoaded } from './not-loaded.tsx';

const SLOW_AFTER_MS = 10 * 60_000;
/** The archive with its state. A slow one may have failed, so the page stops asking for it. */
const withState = ({ requestedAt, expiresAt, byteCount }: Output<typeof dataExport.read>) => {
  if (expiresAt) return { state: 'ready', expiresAt, byteCount: byteCount ?? 0 } as const;
  if (!requestedAt) return { state: 'none' } as const;
  const isSlow = Date.now() - requestedAt.getTime() > SLOW_AFTER_MS;
  return { state: isSlow ? 'slow' : 'making' } as const;
};
type Archive = ReturnType<typeof withState>;

const ASK_EVERY_MS = 3000;
const archiveQuery = queryOptions({
  queryKey: ['data-export'],
  queryFn: async () => withState(await call(dataExport.read, {})),
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => state.data?.state === 'making' && ASK_EVERY_MS,
});

/** Requests and downloads the person's archive. */
export function DataExport({ user }: { user: User }) {
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(archiveQuery);
  const request = useCall(dataExport.request);
  const download = useDownload(dataExport.download, (file) => fill(text.downloaded, { file }));
  const wordsId = useId();
  const isReady = data?.state === 'ready';
  const isBeingMade = data?.state === 'making' || data?.state === 'slow';
  const ask = async () => {
    const archive = await request.run({});
    if (archive) client.setQueryData(archiveQuery.queryKey, withState(archive));
  };
  // The archive may have ended meanwhile.
  const take = async () => {
    await download.run({});
    await refetch();
  };
  return (
    <Split title={text.title} lead={text.lead}>
      <Card>
        {isError && !data ? (
          <NotLoaded busy={isFetching} onRetry={() => void refetch()} />
        ) : (
          <>
            <output id={wordsId}>{data ? wordsOf(data, user) : <Skeleton />}</output>
            <div className={styles.buttons}>
              {isReady && (
                <Button kind="primary" busy={download.bytes !== undefined} onClick={() => void take()}>
                  {text.download}
                </Button>
              )}
              <Button
                disabled={!data || !user.confirmed}
                busy={request.busy || isBeingMade}
                aria-describedby={wordsId}
                onClick={() => void ask()}
              >
                {isReady ? text.requestAgain : text.request}
              </Button>
            </div>
          </>
        )}
      </Card>
    </Split>
  );
}

function wordsOf(archive: Archive, { confirmed, timeZone }: User) {
  if (archive.state === 'ready')
    return fill(text.ready, {
      size: sizeWords(archive.byteCount),
      date: dayIn(timeZone)(archive.expiresAt),
    });
  if (archive.state === 'none' && !confirmed) return text.unconfirmed;
  return text[archive.state];
}
