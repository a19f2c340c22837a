// The panel that opens from the bell. It lists a person's notifications and marks them as read.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import {
  BellOff,
  CalendarX2,
  Eye,
  KeyRound,
  MailCheck,
  MailPlus,
  MailQuestion,
  MonitorSmartphone,
  Shield,
  ShieldCheck,
  X,
  type LucideIcon,
} from 'lucide-react';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  communications,
  type Notification,
  type NotificationId,
  type NotificationKind,
} from '#contract/communications/calls.ts';
import { notificationText as text } from '#words/notification.ts';
import { uiText } from '#words/ui.ts';
import type { OrgId } from '#contract/wire.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { PlacesCredit } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './notification-panel.module.css';
import { notificationsQuery } from './notifications-query.ts';

type Props = {
  onClose: () => void;
  orgId: OrgId;
  zone: string | null;
  onAnswer: () => void;
  /** A link was pressed. The handler prevents the default if it can navigate without a full load. */
  onFollow: (event: MouseEvent, link: string) => void;
};

const icons: Record<NotificationKind, LucideIcon> = {
  invitation: MailPlus,
  invitation_answered: MailCheck,
  role_changed: Shield,
  new_device: MonitorSmartphone,
  way_in_changed: KeyRound,
  second_step_asked: ShieldCheck,
  address_to_confirm: MailQuestion,
  deletion_scheduled: CalendarX2,
  operator_looked: Eye,
};

/** A native `<dialog>`, because it traps the focus. */
export function NotificationPanel(props: Props) {
  const { onClose, orgId, zone, onAnswer, onFollow } = props;
  const panel = useRef<HTMLDialogElement>(null);
  const query = useInfiniteQuery(notificationsQuery(orgId));
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const notifications = data?.pages.flatMap((page) => page.notifications);
  const { newIds, count } = useRead(orgId, notifications ?? []);
  const showsLocations = notifications?.some(({ kind }) => kind === 'new_device');
  useEffect(() => panel.current?.showModal(), []);
  // The browser then returns the focus, and tells `onClose`.
  const close = () => panel.current?.close();

  const { moment } = momentsIn(zone);
  return (
    <dialog
      ref={panel}
      className={styles.panel}
      aria-labelledby="notifications"
      closedby="any"
      onClose={onClose}
    >
      <div className={styles.head}>
        <h2 id="notifications">{text.title}</h2>
        <output>{count > 0 && text.nowRead({ count })}</output>
        <IconButton name={uiText.close} icon={<X />} onClick={close} />
      </div>
      <div className={styles.body} aria-busy={!notifications && !isError}>
        {!notifications && !isError && <LoadingRows />}
        {isError && !notifications && (
          <div className={styles.state} role="alert">
            <strong>{uiText.loadFailed}</strong>
            <p>{whyNotLoaded()}</p>
            <Button size="small" onClick={() => void refetch()}>
              {uiText.tryAgain}
            </Button>
          </div>
        )}
        {notifications?.length === 0 && (
          <div className={styles.state}>
            <BellOff aria-hidden="true" />
            <strong>{text.empty}</strong>
            <p>{text.emptyHint}</p>
          </div>
        )}
        <ul>
          {notifications?.map((notification) => (
            <Item
              key={notification.id}
              notification={notification}
              isNew={newIds.has(notification.id)}
              time={moment(notification.createdAt)}
              onAnswer={() => {
                close();
                onAnswer();
              }}
              onFollow={(event, link) => {
                close();
                onFollow(event, link);
              }}
            />
          ))}
        </ul>
        {hasNextPage && (
          <div className={styles.older}>
            <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {text.older}
            </Button>
          </div>
        )}
        {showsLocations && <PlacesCredit />}
      </div>
    </dialog>
  );
}

type ItemProps = Pick<Props, 'onAnswer' | 'onFollow'> & {
  notification: Notification;
  isNew: boolean;
  time: string;
};

function Item({ notification, isNew, time, onAnswer, onFollow }: ItemProps) {
  const { kind, link, createdAt } = notification;
  const Icon = icons[kind];
  return (
    <li className={classNames(styles.item, isNew && styles.unread)}>
      <Icon aria-hidden="true" />
      <div>
        {isNew && <span className="visually-hidden">{text.unread}: </span>}
        {link === undefined ? (
          <p>{notification.text}</p>
        ) : (
          <p>
            <a href={link} onClick={(event) => onFollow(event, link)}>
              {notification.text}
            </a>
          </p>
        )}
        {kind === 'invitation' && <LinkButton onClick={onAnswer}>{text.answer}</LinkButton>}
        <time dateTime={createdAt.toISOString()}>{time}</time>
      </div>
    </li>
  );
}

function LoadingRows() {
  return (
    <ul>
      {['one', 'two', 'three'].map((key) => (
        <li key={key} className={styles.item}>
          <Skeleton width="full" />
          <div className={styles.lines}>
            <Skeleton width="full" />
            <Skeleton width="half" />
          </div>
        </li>
      ))}
      <output className="visually-hidden">{text.loading}</output>
    </ul>
  );
}

/** `newIds` are those that were unread when they appeared; `count` of them are already marked. */
function useRead(orgId: OrgId, notifications: readonly Notification[]) {
  const client = useQueryClient();
  const { run } = useCall(communications.readNotifications);
  const [newIds, setNewIds] = useState<ReadonlySet<NotificationId>>(new Set());
  const unreadIds = notifications.filter(({ isRead }) => !isRead).map(({ id }) => id);
  if (unreadIds.some((id) => !newIds.has(id))) setNewIds(new Set([...newIds, ...unreadIds]));
  const [newest, oldest] = [unreadIds.at(0), unreadIds.at(-1)];
  const markRead = useEffectEvent(async (readFrom: NotificationId, readUpTo: NotificationId) => {
    const reply = await run({ orgId, readFrom, readUpTo });
    if (!reply) return;
    const { queryKey } = notificationsQuery(orgId);
    // A fetch in flight may bring older data, so wait for it.
    await Promise.allSettled([client.getQueryCache().find({ queryKey })?.promise]);
    const read = (one: Notification) => (unreadIds.includes(one.id) ? { ...one, isRead: true } : one);
    client.setQueryData(
      queryKey,
      (now) =>
        now && {
          ...now,
          pages: now.pages.map((page) => ({
            ...page,
            unread: reply.unread,
            notifications: page.notifications.map(read),
          })),
        },
    );
  });
  useEffect(() => {
    if (newest !== undefined && oldest !== undefined) void markRead(oldest, newest);
  }, [newest, oldest]);
  const count = notifications.filter(({ id, isRead }) => isRead && newIds.has(id)).length;
  return { newIds, count };
}
