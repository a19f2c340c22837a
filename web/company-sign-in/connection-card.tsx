// The card on which Super Admins set up, test, switch and remove their company's identity provider.
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type CompanyConnection, companyConnections } from '#contract/company-sign-in/connections.ts';
import { namesAlike } from '#contract/company-sign-in/issuer.ts';
import { dayIn } from '#contract/dates.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyConnectionsText as text } from '#words/company-connections.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import { Attempts } from './attempts.tsx';
import styles from './company-sign-in.module.css';
import type { ConnectionAct } from './connection-dialog.tsx';
import { Item, ListCard } from './parts.tsx';
import {
  addsPeople,
  connectionsQuery,
  directoryQuery,
  domainsQuery,
  isDomainProven,
  isTestable,
  useConnectionsChanged,
  useRoles,
} from './queries.ts';

const Dialog = latePopup(async () => (await import('./connection-dialog.tsx')).ConnectionDialog);
const DAY_MS = 86_400_000;
/** The mails about the end begin then, too. */
const SOON_DAYS = 60;

type Props = { organization: Organization; zone: string | null };

/** The organization's identity provider: the one that is on, and a draft that may take its place. */
export function ConnectionCard({ organization, zone }: Props) {
  const orgId = organization.id;
  const { data: domains } = useQuery(domainsQuery(orgId));
  const list = useQuery(connectionsQuery(orgId));
  const { data: connections } = list;
  const [act, setAct] = useState<{ kind: ConnectionAct; connection: CompanyConnection }>();
  const changed = useConnectionsChanged(orgId);
  const adding = useCall(companyConnections.add, { changed_meanwhile: () => void changed() });
  const add = async () => {
    if (await adding.run({ orgId })) await changed();
  };
  const isOpen = domains?.some(isDomainProven) === true;
  const isNew = connections?.length === 0;
  const hasDraft = connections?.some(({ isOn }) => !isOn) === true;
  return (
    <ListCard
      title={text.title}
      lead={text.lead({ organization: organization.name })}
      actions={
        isOpen &&
        isNew && (
          <Button icon={<Plus />} busy={adding.busy} onClick={() => void add()}>
            {text.add}
          </Button>
        )
      }
      list={list}
      loading={text.loading}
      empty={
        isNew && { icon: <KeyRound />, title: text.empty, hint: isOpen ? text.emptyHint : text.domainFirst }
      }
    >
      {connections && !isNew && (
        <>
          <ul className={styles.items}>
            {connections.map((connection) => (
              <Connection
                key={connection.id}
                connection={connection}
                organization={organization}
                zone={zone}
                isAlone={!hasDraft}
                onReplace={() => void add()}
                onAct={(kind) => setAct({ kind, connection })}
              />
            ))}
          </ul>
          <Attempts orgId={orgId} zone={zone} />
        </>
      )}
      {act && (
        <Dialog
          {...act}
          linksEnding={linksEndingWith(act, connections)}
          organization={organization}
          onClose={() => setAct(undefined)}
        />
      )}
    </ListCard>
  );
}

/** The links of a removed connection end, and those of one that is replaced by another provider or client. */
function linksEndingWith(
  { kind, connection }: { kind: ConnectionAct; connection: CompanyConnection },
  all: readonly CompanyConnection[] = [],
) {
  if (kind === 'remove') return connection.linked;
  const former = all.find(({ isOn }) => isOn);
  return !former || namesAlike(former, connection) ? 0 : former.linked;
}

type ConnectionProps = Props & {
  connection: CompanyConnection;
  /** It is on, and no draft is there to replace it. */
  isAlone: boolean;
  onReplace: () => void;
  onAct: (act: ConnectionAct) => void;
};

function Connection({ connection, organization, zone, isAlone, onReplace, onAct }: ConnectionProps) {
  const { id, isOn, issuer, testedTime, secretEnds } = connection;
  const roles = useRoles(organization.id);
  const { data: directory } = useQuery(directoryQuery(organization.id));
  const { run, busy } = useCall(companyConnections.test);
  const [now] = useState(() => Date.now());
  const test = async () => {
    const answer = await run({ orgId: organization.id, id });
    if (answer) await leaveFor(answer.authUrl);
  };
  const day = dayIn(zone);
  const name = issuer === '' ? text.unnamed : <Address>{issuer}</Address>;
  const state = isOn
    ? text.isOn
    : testedTime
      ? text.tested({ time: momentsIn(zone).momentWithin(testedTime) })
      : isTestable(connection)
        ? text.testFirst
        : text.fillIn;
  const isEnding = secretEnds && !connection.hasNextSecret && secretEnds.getTime() - now < SOON_DAYS * DAY_MS;
  return (
    <Item
      name={name}
      pills={
        <Pill tone={isOn ? 'good' : testedTime ? 'accent' : 'neutral'}>{isOn ? text.on : text.draft}</Pill>
      }
      words={<p>{state}</p>}
      acts={
        <>
          <Button size="small" onClick={() => onAct('edit')}>
            {text.edit}
          </Button>
          {isTestable(connection) && (
            <Button size="small" busy={busy} onClick={() => void test()}>
              {text.test}
            </Button>
          )}
          {!isOn && testedTime && (
            <Button size="small" kind="primary" onClick={() => onAct('switchOn')}>
              {text.switchOn}
            </Button>
          )}
          {isOn && isAlone && (
            <>
              <Button size="small" onClick={onReplace}>
                {text.replace}
              </Button>
              <Button size="small" kind="danger-plain" onClick={() => onAct('switchOff')}>
                {text.switchOff}
              </Button>
            </>
          )}
          {!isOn && <IconButton name={text.remove} icon={<Trash2 />} onClick={() => onAct('remove')} />}
        </>
      }
    >
      {isEnding && (
        <Notice kind="warning" announce={false}>
          {text.secretEndsSoon({ day: day(secretEnds) })}
        </Notice>
      )}
      <details open={!isOn}>
        <summary>{text.settings}</summary>
        <p>{text.redirectHint}</p>
        <CopyField label={text.redirectUrl} value={connection.redirectUrl} />
        <p>{text.signOutHint}</p>
        <FieldGrid>
          <CopyField label={text.logoutUrl} value={connection.logoutUrl} />
          <CopyField label={text.signOutUrl} value={connection.redirectUrl} />
        </FieldGrid>
        <Facts
          facts={{
            [text.issuer]: issuer,
            [text.clientId]: connection.clientId,
            [text.secret]: !connection.hasSecret
              ? text.none
              : secretEnds
                ? text.savedUntil({ day: day(secretEnds) })
                : text.saved,
            [text.nextSecret]: connection.hasNextSecret && text.saved,
            [text.secondStep]: connection.declaresStep ? text.declares : text.byClaims,
            [text.newColleagues]:
              directory && addsPeople(directory)
                ? text.byDirectory
                : (roles.find((role) => role.id === connection.roleId)?.name ?? text.membersOnly),
          }}
        />
      </details>
    </Item>
  );
}
