import { useInfiniteQuery, useQueryClient, infiniteQueryOptions } from '@tanstack/react-query';
import { webhookDeliveriesText as text } from '#words/webhook-deliveries.ts';
import { type Delivery, webhookDeliveries, type MessageId } from '#contract/webhooks/deliveries.ts';
import { problemWords } from '#contract/webhooks/problem-words.ts';
import type { Webhook } from '#contract/webhooks/calls.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import type { PartProps } from '#web/registry/entry-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './deliveries.module.css';
import { eventWords, isOff } from './webhooks.ts';
import type { OrgId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';

const PAGE_ROWS = 20;
const REFETCH_MS = 2000;
const SOON_MS = 60_000;

const isTriedSoon = ({ nextTryTime }: Delivery) =>
  nextTryTime !== null && nextTryTime.getTime() < Date.now() + SOON_MS;

/** The deliveries of a webhook, newest first, in pages. Refetched while one is about to be tried. */
const deliveriesQuery = (orgId: OrgId, webhook: Webhook) =>
  infiniteQueryOptions({
    queryKey: ['webhook deliveries', orgId, webhook.id],
    queryFn: ({ pageParam: after }) =>
      call(webhookDeliveries.listDeliveries, {
        orgId,
        webhookId: webhook.id,
        limit: PAGE_ROWS,
        ...(after && { after }),
      }),
    initialPageParam: null as MessageId | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      !isOff(webhook) && state.data?.pages.some(({ deliveries }) => deliveries.some(isTriedSoon)) === true
        ? REFETCH_MS
        : false,
    gcTime: 0,
  });

/** The last deliveries of a webhook. A Super Admin can send one again, or a test event. */
export function DeliveriesCard({ orgId, entry: webhook, zone }: PartProps<Webhook>) {
  const client = useQueryClient();
  const query = deliveriesQuery(orgId, webhook);
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(query);
  const deliveries = data?.pages.flatMap((page) => page.deliveries);
  const test = useCall(webhookDeliveries.sendTest);
  const again = useCall(webhookDeliveries.sendAgain);
  const showQueued = async (words: string) => {
    await client.invalidateQueries({ queryKey: query.queryKey });
    showAlert({ kind: 'success', text: words });
  };
  const sendTest = async () => {
    if (await test.run({ orgId, webhookId: webhook.id })) await showQueued(text.testQueued);
  };
  const sendAgain = async ({ id }: Delivery) => {
    if (await again.run({ orgId, webhookId: webhook.id, id })) await showQueued(text.queuedAgain);
  };
  return (
    <Card
      title={text.title}
      lead={text.lead}
      actions={
        <Button busy={test.busy} onClick={() => void sendTest()}>
          {text.sendTest}
        </Button>
      }
    >
      {isOff(webhook) && <Notice kind="info">{text.off}</Notice>}
      {!deliveries && !isError && <LoadingRows />}
      {deliveries?.length === 0 && (
        <div className={styles.empty}>
          <strong>{text.empty}</strong>
          <p>{text.emptyHint}</p>
        </div>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className={styles.deliveries}>
          {deliveries.map((delivery) => (
            <Item
              key={delivery.id}
              delivery={delivery}
              zone={zone}
              showsNext={!isOff(webhook)}
              onAgain={() => void sendAgain(delivery)}
            />
          ))}
        </ul>
      )}
      {isError && (!deliveries || isFetchNextPageError) && (
        <LoadFailed onRetry={() => void (deliveries ? fetchNextPage() : refetch())} />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <div className={styles.older}>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text.older}
          </Button>
        </div>
      )}
    </Card>
  );
}

const tones = { waiting: 'neutral', delivered: 'good', failed: 'bad' } as const;

type ItemProps = { delivery: Delivery; zone: string | null; showsNext: boolean; onAgain: () => void };

function Item({ delivery, zone, showsNext, onAgain }: ItemProps) {
  const { event, status, createdTime, tries, triedTime, nextTryTime, durationMs, response } = delivery;
  const { moment, momentWithin } = momentsIn(zone);
  const name = event === 'test' ? text.test : eventWords(event);
  const isRetried = status === 'waiting' && triedTime !== null;
  const facts = {
    [text.tries]: String(tries),
    [text.lastTry]: triedTime && moment(triedTime),
    [text.duration]: durationMs !== null && text.milliseconds({ count: durationMs }),
    [text.statusCode]: delivery.statusCode !== null && String(delivery.statusCode),
    [text.nextTry]: showsNext && !isRetried && nextTryTime && moment(nextTryTime),
    [text.problem]: delivery.error && problemWords(delivery.error),
  };
  return (
    <li>
      <div className={styles.head}>
        <div className={styles.event}>
          <strong>{name}</strong>
          {isRetried ? (
            <Pill tone="warn">{retryWords(showsNext ? nextTryTime : null, zone)}</Pill>
          ) : (
            <Pill tone={tones[status]}>{text.statuses[status]}</Pill>
          )}
          <time dateTime={createdTime.toISOString()}>{moment(createdTime)}</time>
        </div>
        <Button
          size="small"
          aria-label={text.sendThisAgain({ event: name, time: momentWithin(createdTime) })}
          onClick={onAgain}
        >
          {text.sendAgain}
        </Button>
      </div>
      <dl>
        {Object.entries(facts).map(
          ([label, fact]) =>
            typeof fact === 'string' && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <bdi>{fact}</bdi>
                </dd>
              </div>
            ),
        )}
        {response && (
          <div className={styles.response}>
            <dt>{text.response}</dt>
            <dd>
              <bdi>{response}</bdi>
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}

function retryWords(nextTryTime: Date | null, zone: string | null) {
  if (!nextTryTime) return text.failedWaits;
  const { dayName, timeOfDay, momentWithin } = momentsIn(zone);
  const isToday = dayName(nextTryTime) === dayName(new Date());
  return text.failedNext({ time: isToday ? timeOfDay(nextTryTime) : momentWithin(nextTryTime) });
}

function LoadingRows() {
  return (
    <div className={styles.deliveries} aria-busy="true">
      {['one', 'two', 'three'].map((key) => (
        <div key={key} className={styles.lines}>
          <Skeleton width="third" />
          <Skeleton width="most" />
        </div>
      ))}
      <output className="visually-hidden">{text.loading}</output>
    </div>
  );
}
