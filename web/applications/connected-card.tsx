import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ConnectedApplication, connectedApplications } from '#contract/applications/connected.ts';
import { nameList } from '#contract/list-words.ts';
import { accessText } from '#words/access.ts';
import { connectedText as text } from '#words/connected.ts';
import { removeAccessText } from '#words/remove-access.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, LoadFailed, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './connected-card.module.css';
import { Named } from '#web/ui/named.tsx';

const connectedQuery = queryOptions({
  queryKey: ['connected'],
  queryFn: () => call(connectedApplications.listConnected, {}),
  // The person may have entered another one meanwhile.
  refetchOnWindowFocus: true,
});

export function ConnectedCard({ id, zone }: { id: string; zone: string | null }) {
  const { data, isError, refetch } = useQuery(connectedQuery);
  const [chosen, setChosen] = useState<ConnectedApplication>();
  const cache = useQueryClient();
  const { run } = useCall(connectedApplications.removeAccess);
  const remove = async (application: ConnectedApplication) => {
    const remaining = await run({ id: application.id });
    if (!remaining) return false;
    cache.setQueryData(connectedQuery.queryKey, remaining);
    // A fetch in flight may bring older data.
    void cache.invalidateQueries(connectedQuery);
    showAlert({ kind: 'success', text: text.removed({ application: application.name }) });
    return true;
  };
  return (
    <Split id={id} title={text.title} lead={text.lead}>
      <Card>
        {isError && !data ? (
          <LoadFailed onRetry={() => void refetch()} />
        ) : (
          <Applications applications={data} zone={zone} onRemove={setChosen} />
        )}
      </Card>
      {chosen && (
        <LateConfirm
          onClose={() => setChosen(undefined)}
          title={removeAccessText.title({ application: chosen.name })}
          act={text.remove}
          destructive
          after={document.querySelector<HTMLElement>('main')}
          onConfirm={() => remove(chosen)}
        >
          {removeAccessText.effect({ application: chosen.name })}
        </LateConfirm>
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
  if (isOwn) return text.from({ organization: organization ?? '' });
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
          {organization !== null && !isOwn && <p className={styles.for}>{text.for({ organization })}</p>}
          <p className={styles.hint}>
            {text.learns({
              access: nameList(scopes.map((scope) => (isOwn ? ownAccess : accessText)[scope])),
            })}
          </p>
          <p className={styles.hint}>
            {text.since({ since: momentWithin(since), lastUsed: momentWithin(lastUsed) })}
          </p>
        </div>
        <Button
          size="small"
          aria-label={text.removeOne({ application: name })}
          onClick={() => onRemove(application)}
        >
          {text.remove}
        </Button>
      </div>
    </li>
  );
}
