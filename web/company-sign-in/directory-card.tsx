// The card on which Super Admins connect their company's directory and give its groups roles.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ContactRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { companyDirectory } from '#contract/company-sign-in/directory.ts';
import { DIRECTORY_TOKENS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { companyDirectoryText as text } from '#words/company-directory.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import { roleOption } from '#web/members/role-options.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Named } from '#web/ui/named.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './company-sign-in.module.css';
import type { DirectoryAct } from './directory-dialogs.tsx';
import { Item, ListCard } from './parts.tsx';
import {
  addsPeople,
  type DirectoryState,
  directoryQuery,
  type DirectoryToken,
  domainsQuery,
  isDomainProven,
  useRoles,
} from './queries.ts';

const Dialog = latePopup(async () => (await import('./directory-dialogs.tsx')).DirectoryDialog);

type Props = { organization: Organization; zone: string | null };

/** The tokens of the company directory, what it was refused, and the role of each of its groups. */
export function DirectoryCard({ organization, zone }: Props) {
  const orgId = organization.id;
  const { data: domains } = useQuery(domainsQuery(orgId));
  const list = useQuery(directoryQuery(orgId));
  const { data: directory } = list;
  const roles = useRoles(orgId);
  const [shows, setShows] = useState<DirectoryAct>();
  const hasDomain = domains?.some(isDomainProven) === true;
  const add = () => {
    if (directory && directory.tokens.length >= DIRECTORY_TOKENS_PER_ORGANIZATION_MAX)
      showAlert({ kind: 'info', text: text.full });
    else setShows('add');
  };
  const isUsed = directory && (directory.tokens.length > 0 || directory.groups.length > 0);
  const isUnused = directory !== undefined && !isUsed;
  return (
    <ListCard
      title={text.title}
      lead={text.lead({ organization: organization.name })}
      actions={
        directory &&
        (hasDomain || isUsed) && (
          <Button icon={<Plus />} onClick={add}>
            {text.add}
          </Button>
        )
      }
      list={list}
      loading={text.loading}
      empty={
        isUnused && {
          icon: <ContactRound />,
          title: text.empty,
          hint: hasDomain ? text.emptyHint : text.domainFirst,
        }
      }
    >
      {directory && isUsed && (
        <>
          <CopyField label={text.address} value={directory.address} />
          <p className={styles.note}>{text.people({ count: directory.people })}</p>
          {directory.tokens.length > 0 && (
            <p className={styles.note}>{addsPeople(directory) ? text.addsAlone : text.joiningGoesOn}</p>
          )}
          <ul className={styles.items}>
            {directory.tokens.map((token) => (
              <Token
                key={token.id}
                token={token}
                role={roles.find(({ id }) => id === token.roleId)?.name}
                zone={zone}
                onRevoke={() => setShows({ revokes: token })}
              />
            ))}
          </ul>
          <Groups organization={organization} groups={directory.groups} roles={roles} />
        </>
      )}
      {shows && directory && (
        <Dialog
          shows={shows}
          organization={organization}
          roles={roles}
          address={directory.address}
          onMade={(made) => setShows({ made })}
          onClose={() => setShows(undefined)}
        />
      )}
    </ListCard>
  );
}

type TokenProps = {
  token: DirectoryToken;
  /** The name of the role; undefined if it was deleted. */
  role: string | undefined;
  zone: string | null;
  onRevoke: () => void;
};

function Token({ token, role, zone, onRevoke }: TokenProps) {
  const { createdTime, lastUsedTime, refused } = token;
  const { moment, momentWithin } = momentsIn(zone);
  const time = momentWithin(createdTime);
  return (
    <Item
      name={text.token({ time })}
      pills={<Pill tone={lastUsedTime ? 'good' : 'warn'}>{lastUsedTime ? text.used : text.unused}</Pill>}
      words={
        <>
          {lastUsedTime && <p>{text.lastUsed({ time: momentWithin(lastUsedTime) })}</p>}
          <p>{role === undefined ? text.noRole : text.usualRole({ role })}</p>
        </>
      }
      acts={
        <Button size="small" kind="danger-plain" aria-label={text.revokeOne({ time })} onClick={onRevoke}>
          {text.revoke}
        </Button>
      }
    >
      {refused.length > 0 && (
        <details>
          <summary>{text.refused({ count: refused.length })}</summary>
          <ul className={styles.calls}>
            {refused.map((call) => (
              <li key={`${call.time} ${call.call} ${call.reason}`}>
                <div className={styles.name}>
                  <strong>
                    <bdi>{call.call}</bdi>
                  </strong>
                  <Pill tone={call.status < 400 ? 'warn' : 'bad'}>{call.status}</Pill>
                  <time dateTime={call.time}>{moment(new Date(call.time))}</time>
                </div>
                <p>
                  <bdi>{call.reason}</bdi>
                </p>
                {call.fields.length > 0 && <p>{text.fields({ fields: call.fields.join(', ') })}</p>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Item>
  );
}

type GroupsProps = {
  organization: Organization;
  groups: DirectoryState['groups'];
  roles: readonly Role[];
};

function Groups({ organization, groups, roles }: GroupsProps) {
  const client = useQueryClient();
  const { queryKey } = directoryQuery(organization.id);
  const refetch = () => void client.invalidateQueries({ queryKey });
  const { run, busy } = useCall(companyDirectory.setRole, { not_found: refetch, no_changes: refetch });
  const choose = async (groupId: string, value: string) => {
    const roleId = roles.find(({ id }) => String(id) === value)?.id ?? null;
    const changed = await run({ orgId: organization.id, groupId, roleId });
    if (!changed) return;
    client.setQueryData(
      queryKey,
      (directory) =>
        directory && {
          ...directory,
          groups: directory.groups.map((group) => (group.groupId === groupId ? changed : group)),
        },
    );
    showAlert({ kind: 'success', text: text.roleSaved });
  };
  return (
    <section className={styles.attempts}>
      <h3>{text.groups}</h3>
      <p>{groups.length === 0 ? text.noGroups : text.groupsHint}</p>
      {groups.length > 0 && (
        <ul className={styles.people} aria-busy={busy}>
          {groups.map(({ groupId, name, roleId, members }) => (
            <li key={groupId}>
              <div className={styles.person}>
                <strong>
                  <Named>{name}</Named>
                </strong>
                <span>{text.members({ count: members })}</span>
              </div>
              <div className={styles.role}>
                <SelectField
                  label={text.roleOf({ name })}
                  hideLabel
                  value={roleId ?? ''}
                  options={[{ value: '', label: text.noGroupRole }, ...roles.map((role) => roleOption(role))]}
                  onChange={({ target }) => void choose(groupId, target.value)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
