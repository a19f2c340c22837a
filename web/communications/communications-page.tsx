import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  communications,
  type NotificationTypeName,
  notificationTypeNames,
  type Preferences,
} from '#contract/communications/calls.ts';
import { communicationsText as text } from '#words/communications.ts';
import { call } from '#web/lib/call.ts';
import { showChanged } from '#web/lib/show-changed.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, LoadFailed, PageHeader, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './communications.module.css';

const preferencesQuery = queryOptions({
  queryKey: ['email-preferences'],
  queryFn: () => call(communications.preferences, {}),
});

export function CommunicationsPage() {
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <Split title={text.choices} lead={text.choicesHint}>
        <Choices />
      </Split>
      <Split title={text.security} lead={text.securityHint}>
        <Card>
          <div>
            <Pill tone="good">{text.alwaysOn}</Pill>
          </div>
          <p>{text.securityLead}</p>
          <ul className={styles.always}>
            {Object.values(text.securityMails).map((mail) => (
              <li key={mail}>{mail}</li>
            ))}
          </ul>
        </Card>
      </Split>
    </>
  );
}

function Choices() {
  const { data, isError, refetch } = useQuery(preferencesQuery);
  const [saved, setSaved] = useState(false);
  if (isError)
    return (
      <Card>
        <LoadFailed onRetry={() => void refetch()} />
      </Card>
    );
  return (
    <Card note={<output>{saved ? text.saved : text.savedAtOnce}</output>}>
      <div className={styles.choices} aria-busy={!data}>
        {notificationTypeNames.map((name) =>
          data ? (
            <Choice key={name} name={name} isOn={data[name]} onSaved={setSaved} />
          ) : (
            <div key={name} className={styles.waiting}>
              <Skeleton width="third" />
              <Skeleton />
            </div>
          ),
        )}
      </div>
    </Card>
  );
}

type ChoiceProps = { name: NotificationTypeName; isOn: boolean; onSaved: (saved: boolean) => void };

/** One type of mail. The choice shows at once and is reverted if saving fails. */
function Choice({ name, isOn, onSaved }: ChoiceProps) {
  const client = useQueryClient();
  const { run, busy } = useCall(communications.setPreferences, {
    // Another window has already saved this.
    no_changes: () => void client.invalidateQueries(preferencesQuery),
  });
  const show = (on: boolean) => showChanged<Preferences>(client, preferencesQuery.queryKey, { [name]: on });
  const choose = async (on: boolean) => {
    if (busy) return;
    onSaved(false);
    show(on);
    const reply = await run({ [name]: on });
    show(reply ? reply[name] : !on);
    onSaved(reply !== undefined);
  };
  return (
    <Checkbox {...text.types[name]} checked={isOn} onChange={(event) => void choose(event.target.checked)} />
  );
}
