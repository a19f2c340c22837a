import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ConnectedApplication, connectedApplications } from '#contract/applications/connected.ts';
import { accessText } from '#contract/text/access.ts';
import { connectedText as text } from '#contract/text/connected.ts';
import { fill } from '#contract/text.ts';
import { call } from '#web/lib/call.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './connected-card.module.css';
import { Named } from '#web/ui/named.tsx';

const connectedQuery = queryOptions({
  queryKey: ['connected'],
  queryFn: () => call(connectedApplications.listConnected, {}),
  // The person may have entered another one meanwhile.
  refetchOnWindowFocus: true,
});

const dialog = latePopup(async () => (await import('./remove-access-dialog.tsx')).RemoveAccessDialog);

/** The applications that may use the account, with buttons to remove their access. */
export function ConnectedCard({ zone }: { zone: string | null }) {
  const { data, isError, refetch } = useQuery(connectedQuery);
  const [chosen, setChosen] = useState<ConnectedApplication>();
  dialog.useReady();
  return (
    <Split title={text.title} lead={text.lead}>
      <Card>
        {isError && !data ? (
          <LoadFailed onRetry={() => void refetch()} />
        ) : (
          <Applications applications={data} zone={zone} onRemove={setChosen} />
        )}
      </Card>
      {chosen && (
        <dialog.Popup
          application={chosen}
          queryKey={connectedQuery.queryKey}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Split>
  );
}

type ListProps = {
  applications: ConnectedApplication[] | undefined;
  zone: string | null;
  onRemove: (application: ConnectedApplication) => void;
};

function Applications({ applications, zone, onRemove }: ListProps) {
  if (applications?.length === 0)
    return (
      <>
        <p>{text.empty}</p>
        <p className={styles.hint}>{text.emptyHint}</p>
      </>
    );
  return (
    <ul className={styles.list} aria-busy={!applications}>
      {applications?.map((application) => (
        <Application key={application.id} application={application} zone={zone} onRemove={onRemove} />
      )) ?? (
        <li>
          <Skeleton width="half" />
        </li>
      )}
    </ul>
  );
}

const ownAccess = { ...accessText, profile: text.ownProfile };

const ownerOf = ({ isFirstParty, isOwn, organization }: ConnectedApplication) => {
  if (isOwn) return fill(text.from, { organization: organization ?? '' });
  return isFirstParty ? text.ofSuite : text.fromOthers;
};

type RowProps = Pick<ListProps, 'zone' | 'onRemove'> & { application: ConnectedApplication };

function Application({ application, zone, onRemove }: RowProps) {
  const { name, icon, organization, isFirstParty, isOwn, scopes, since, lastUsed } = application;
  const { momentWithin } = momentsIn(zone);
  return (
    <li>
      <Avatar name={name} src={icon} shape="square" />
      <div className={styles.words}>
        <div className={styles.about}>
          <div className={styles.name}>
            <strong>
              <Named>{name}</Named>
            </strong>
            <Pill tone={isFirstParty ? 'good' : 'neutral'}>{ownerOf(application)}</Pill>
          </div>
          {organization !== null && !isOwn && (
            <p className={styles.for}>{fill(text.for, { organization })}</p>
          )}
          <p className={styles.hint}>
            {fill(text.learns, {
              access: scopes.map((scope) => (isOwn ? ownAccess : accessText)[scope]).join(', '),
            })}
          </p>
          <p className={styles.hint}>
            {fill(text.since, { since: momentWithin(since), lastUsed: momentWithin(lastUsed) })}
          </p>
        </div>
        <Button
          size="small"
          aria-label={fill(text.removeOne, { application: name })}
          onClick={() => onRemove(application)}
        >
          {text.remove}
        </Button>
      </div>
    </li>
  );
}
