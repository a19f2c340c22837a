import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#words/area.ts';
import { notificationsQuery } from '#web/communications/notifications-query.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './shell.module.css';
import { latePopup } from '#web/ui/late.tsx';

const NotificationPanel = latePopup(
  async () => (await import('#web/communications/notification-panel.tsx')).NotificationPanel,
);
const MOST_SHOWN = 99;

type Props = { organization: Organization; zone: string | null; onAnswer: () => void };

export function NotificationButton({ organization: { id, urlName }, zone, onAnswer }: Props) {
  const { data } = useInfiniteQuery(notificationsQuery(id));
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const unread = data?.pages[0]?.unread ?? 0;
  const name = unread > 0 ? areaText.notificationsUnread({ count: unread }) : areaText.notifications;
  const follow = (event: MouseEvent, link: string) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // A link to another organization needs a full load.
    if (opensElsewhere || !link.startsWith(`/${urlName}/`)) return;
    event.preventDefault();
    router.history.push(link);
  };
  return (
    <span className={styles.bell}>
      <IconButton
        name={name}
        icon={<Bell />}
        size="normal"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > MOST_SHOWN ? areaText.manyUnread : unread}
        </span>
      )}
      {isOpen && (
        <NotificationPanel
          onClose={() => setOpen(false)}
          orgId={id}
          zone={zone}
          onAnswer={onAnswer}
          onFollow={follow}
        />
      )}
    </span>
  );
}
