import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#contract/text/area.ts';
import { fill } from '#contract/text.ts';
import { notificationsQuery } from '#web/communications/notifications-query.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './shell.module.css';
import { usePopup } from '#web/ui/late.tsx';

const loadPanel = async () => (await import('#web/communications/notification-panel.tsx')).NotificationPanel;
const MOST_SHOWN = 99;

type Props = { organization: Organization; zone: string | null; onAnswer: () => void };

/** The bell with the number of unread notifications. Hover or focus preloads the panel. */
export function NotificationButton({ organization: { id, urlName }, zone, onAnswer }: Props) {
  const { data } = useInfiniteQuery(notificationsQuery(id));
  const router = useRouter();
  const panel = usePopup(loadPanel);
  const unread = data?.pages[0]?.unread ?? 0;
  const name = unread > 0 ? fill(areaText.notificationsUnread, { count: unread }) : areaText.notifications;
  const follow = (event: MouseEvent, link: string) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // A link to another organization needs a full load.
    if (opensElsewhere || !link.startsWith(`/${urlName}/`)) return;
    event.preventDefault();
    router.history.push(link);
  };
  return (
    <span className={styles.bell} onPointerEnter={panel.fetch}>
      <IconButton
        name={name}
        icon={<Bell />}
        size="normal"
        aria-haspopup="dialog"
        onFocus={panel.fetch}
        onClick={panel.open}
      />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > MOST_SHOWN ? areaText.manyUnread : unread}
        </span>
      )}
      {panel.Popup && (
        <panel.Popup
          open={panel.isOpen}
          onClose={panel.close}
          orgId={id}
          zone={zone}
          onAnswer={onAnswer}
          onFollow={follow}
        />
      )}
    </span>
  );
}
