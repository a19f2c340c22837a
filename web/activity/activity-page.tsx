import { useInfiniteQuery } from '@tanstack/react-query';
import { History, ListFilter, SearchX, Download } from 'lucide-react';
import { useId, useMemo, useState, type ComponentProps } from 'react';
import { activity } from '#contract/activity/calls.ts';
import type { Actor } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import type { User } from '#contract/profile/user.ts';
import { dayIn, momentIn } from '#contract/dates.ts';
import { useAddressFilter } from '#web/lib/address-filter.ts';
import { dayTitle, timeOf } from './days.ts';
import { sizeWords, useDownload } from '#web/lib/use-download.ts';
import { pagesOf } from '#web/lib/pages-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader, PlacesCredit } from '#web/ui/sections.tsx';
import { Segments } from '#web/ui/segments.tsx';
import { Table } from '#web/ui/table.tsx';
import { activityColumnsOf } from './activity-columns.tsx';
import { withoutFilters, filterIn, inScope, isNarrow, toAddress } from './activity-filter.ts';
import { activityQuery, listInput } from './activity-queries.ts';
import styles from './activity.module.css';
import { ActivityToolbar } from './activity-toolbar.tsx';
import { logOf, type Names } from './log.ts';
import { useLateMenu } from '#web/ui/late.tsx';
import type { ExportMenu } from './export-menu.tsx';

type Props = { organization: Organization; user: User; caller: Actor };

const noNames: Names = {};

export function ActivityPage({ organization, user, caller }: Props) {
  const [filter, setFilter] = useAddressFilter(filterIn, toAddress);
  const [now] = useState(() => new Date());
  const [isFiltering, setFiltering] = useState(() => isNarrow(filter));
  const [openIds, setOpenIds] = useState<readonly number[]>([]);
  const toolbarId = useId();
  const isAdmin = caller.rank !== 'member';
  const zone = user.timeZone;
  const view = { orgId: organization.id, zone, isAdmin };
  const list = useInfiniteQuery(activityQuery(view, filter, now));
  const { data, isFetching } = list;
  const log = useMemo(() => data && logOf(data.pages, zone, openIds), [data, zone, openIds]);
  const exporter = useDownload(activity.export, (file) => text.exported({ file }));
  const dayName = dayTitle(zone, now);
  const columns = useMemo(
    () =>
      activityColumnsOf({
        names: log?.names ?? noNames,
        roles: (isAdmin && log?.roles) || noNames,
        reader: user,
        orgId: organization.urlName,
        time: timeOf(zone),
        moment: momentIn(zone),
        day: dayIn(zone),
        onToggle: (id) =>
          setOpenIds((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])),
      }),
    [log, isAdmin, user, organization.urlName, zone],
  );

  const clear = () => setFilter(withoutFilters(filter));
  const exportLog = (format: 'csv' | 'json') =>
    void exporter.run({ ...listInput(view, filter, now), format });

  const acts = (
    <div className={styles.acts}>
      {isAdmin && (
        <Segments
          label={text.scope}
          value={filter.isMine ? 'mine' : 'organization'}
          options={[
            { value: 'organization', label: text.organization },
            { value: 'mine', label: text.mine },
          ]}
          onChange={(scope) => setFilter(inScope(filter, scope === 'mine'))}
        />
      )}
      <Button
        icon={<ListFilter />}
        aria-expanded={isFiltering}
        aria-controls={toolbarId}
        onClick={() => setFiltering(!isFiltering)}
      >
        {text.filter}
      </Button>
      <ExportButton onTake={exportLog} busy={exporter.bytes !== undefined} />
    </div>
  );
  return (
    <>
      <PageHeader
        title={text.title}
        lead={isAdmin && !filter.isMine ? text.lead : text.leadMine}
        actions={acts}
      />
      <output>{exporter.bytes !== undefined && text.exporting({ size: sizeWords(exporter.bytes) })}</output>
      <Card flush>
        {isFiltering && (
          <ActivityToolbar
            id={toolbarId}
            orgId={organization.id}
            filter={filter}
            onFilter={setFilter}
            onClear={clear}
            names={log?.names ?? noNames}
            isOwn={!isAdmin || filter.isMine}
          />
        )}
        <Table
          caption={text.caption}
          columns={columns}
          rows={log?.lines}
          rowKey={({ key }) => key}
          groupHead={(line) => ('day' in line ? dayName(line.day) : undefined)}
          skeletonRows={8}
          {...pagesOf(list, isFetching)}
          empty={
            isNarrow(filter)
              ? {
                  title: text.noMatch,
                  text: text.noMatchHint,
                  icon: <SearchX />,
                  action: (
                    <Button size="small" onClick={clear}>
                      {text.clear}
                    </Button>
                  ),
                }
              : { title: text.none, text: text.noneHint, icon: <History /> }
          }
        />
      </Card>
      {log?.showsLocations && <PlacesCredit />}
    </>
  );
}

const loadMenu = async () => (await import('./export-menu.tsx')).ExportMenu;

type ExportProps = Omit<ComponentProps<typeof ExportMenu>, 'trigger'> & { busy: boolean };

function ExportButton({ onTake, busy }: ExportProps) {
  const { Menu, button, untilThen } = useLateMenu(loadMenu);
  const face = { ref: button, icon: <Download />, busy, children: text.export };
  return Menu ? <Menu onTake={onTake} trigger={<Button {...face} />} /> : <Button {...face} {...untilThen} />;
}
