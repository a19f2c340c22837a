import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { RememberedBrowser } from '#contract/sign-in/remembered-browsers.ts';
import { rememberedText as text } from '#contract/text/remembered-browsers.ts';
import { fill } from '#contract/text.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';
import { type Column, NameCell, Table } from '#web/ui/table.tsx';
import styles from './devices.module.css';
import { deviceName, rememberedQuery } from './queries.ts';

const Dialog = latePopup(async () => (await import('./forget-dialog.tsx')).ForgetDialog);

export function RememberedCard({ zone }: { zone: string | null }) {
  const { data, isError, refetch } = useQuery(rememberedQuery);
  const [chosen, setChosen] = useState<RememberedBrowser | 'all'>();
  if (data?.length === 0 || (!data && !isError)) return null;
  const forgetAll = (data?.length ?? 0) > 1 && (
    <Button kind="danger-plain" onClick={() => setChosen('all')}>
      {text.all}
    </Button>
  );
  return (
    <Card title={text.title} lead={text.lead} actions={forgetAll} flush>
      <Table
        caption={text.title}
        columns={columnsOf(zone, setChosen)}
        rows={data}
        rowKey={({ id }) => id}
        empty={{ title: text.title, icon: <ShieldCheck /> }}
        error={isError && !data}
        onRetry={() => void refetch()}
      />
      {chosen && (
        <Dialog browser={chosen === 'all' ? undefined : chosen} onClose={() => setChosen(undefined)} />
      )}
    </Card>
  );
}

function columnsOf(
  zone: string | null,
  onForget: (browser: RememberedBrowser) => void,
): Column<RememberedBrowser>[] {
  const { moment, dayName } = momentsIn(zone);
  return [
    {
      key: 'browser',
      head: text.browser,
      role: 'title',
      width: '27%',
      cell: (browser) => (
        <NameCell
          name={deviceName(browser)}
          sub={browser.isCurrent && <Pill tone="good">{text.current}</Pill>}
        />
      ),
    },
    { key: 'location', head: text.location, cell: ({ location }) => location },
    {
      key: 'address',
      head: text.ipAddress,
      width: '19%',
      cell: ({ ipAddress }) => <span className={styles.address}>{ipAddress}</span>,
    },
    { key: 'since', head: text.since, cell: ({ createdTime }) => moment(createdTime) },
    { key: 'until', head: text.until, width: '120', cell: ({ expiresTime }) => dayName(expiresTime) },
    {
      key: 'acts',
      head: text.actions,
      width: '72',
      role: 'actions',
      cell: (browser) => (
        <IconButton
          name={fill(text.forget, {
            browser: deviceName(browser),
            location: browser.location,
            address: browser.ipAddress,
          })}
          icon={<Trash2 />}
          onClick={() => onForget(browser)}
        />
      ),
    },
  ];
}
