import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { dataExport } from '#contract/data-export/calls.ts';
import { dayIn, momentIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import { fillText } from '#contract/in-words.ts';
import { archiveText } from '#words/archive.ts';
import type { organizationDataText } from '#words/organization-data.ts';
import type { ownDataText } from '#words/own-data.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { goTo } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { sizeWords, useDownload } from '#web/lib/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './delete-account.module.css';

const SLOW_AFTER_MS = 10 * 60_000;
type Archive = Output<typeof dataExport.read>;

function stateOf({ requestedAt, expiresAt, isFailed }: Archive) {
  if (expiresAt) return 'ready';
  if (isFailed) return 'failed';
  if (!requestedAt) return 'none';
  return Date.now() - requestedAt.getTime() > SLOW_AFTER_MS ? 'slow' : 'making';
}

const ASK_EVERY_MS = 3000;
const ASK_SLOWLY_EVERY_MS = 60_000;
const waitMs = (archive: Archive | undefined) => {
  const state = archive && stateOf(archive);
  return state === 'making' ? ASK_EVERY_MS : state === 'slow' && ASK_SLOWLY_EVERY_MS;
};
type Subject = { orgId?: OrgId };
const archiveQuery = (subject: Subject) =>
  queryOptions({
    queryKey: ['data-export', subject],
    queryFn: () => call(dataExport.read, subject),
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => waitMs(state.data),
  });

type Text = typeof ownDataText | typeof organizationDataText;
export function DataExport({ text, subject, user }: { text: Text; subject: Subject; user: User }) {
  const client = useQueryClient();
  const query = archiveQuery(subject);
  const { data, isError, isFetching, refetch } = useQuery(query);
  // Another browser or Super Admin may have asked meanwhile.
  const request = useCall(dataExport.request, { too_many_requests: () => void refetch() });
  const download = useDownload(dataExport.download, (file) => archiveText.downloaded({ file }), {
    second_step_required: () => goTo('/account/secondstep'),
  });
  const wordsId = useId();
  if (isError && !data) return <LoadFailed busy={isFetching} onRetry={() => void refetch()} />;
  const state = data && stateOf(data);
  const ask = async () => {
    const archive = await request.run(subject);
    if (archive) client.setQueryData(query.queryKey, archive);
  };
  // The archive may have ended meanwhile.
  const take = async () => {
    await download.run(subject);
    await refetch();
  };
  const isBeingMade = state === 'making' || state === 'slow';
  return (
    <>
      <output id={wordsId} className={styles.state}>
        {data ? wordsOf(text, data, user).map((words) => <p key={words}>{words}</p>) : <Skeleton />}
      </output>
      <div className={styles.buttons}>
        {state === 'ready' && (
          <Button kind="primary" busy={download.bytes !== undefined} onClick={() => void take()}>
            {archiveText.download}
          </Button>
        )}
        <Button
          disabled={!data || !user.confirmed || (data.nextRequestAt !== null && !isBeingMade)}
          busy={request.busy || isBeingMade}
          aria-describedby={wordsId}
          onClick={() => void ask()}
        >
          {state === 'ready' ? archiveText.requestAgain : text.request}
        </Button>
      </div>
    </>
  );
}

function wordsOf(text: Text, archive: Archive, { confirmed, timeZone }: User): string[] {
  const { byteCount, expiresAt, requestedBy, nextRequestAt } = archive;
  const state = stateOf(archive);
  if (state === 'none' && !confirmed) return [text.unconfirmed];
  const words = fillText(state === 'failed' ? archiveText.failed : text[state], {
    size: sizeWords(byteCount ?? 0),
    date: expiresAt ? dayIn(timeZone)(expiresAt) : '',
    name: requestedBy ?? archiveText.nobody,
  });
  const isFull = nextRequestAt && state !== 'making' && state !== 'slow';
  return isFull ? [words, archiveText.tooMany({ moment: momentIn(timeZone)(nextRequestAt) })] : [words];
}
