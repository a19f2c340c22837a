import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { joinRequests, type JoinRequest } from '#contract/company-sign-in/joining.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { Role } from '#contract/roles/calls.ts';
import { fieldText } from '#words/field.ts';
import { joinRequestsText as text } from '#words/join-requests.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useMembersChanged } from '#web/members/member-queries.ts';
import { RoleField, usualRole } from '#web/members/role-field.tsx';
import { rolesQuery } from '#web/members/roles-query.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Named } from '#web/ui/named.tsx';
import { Card } from '#web/ui/sections.tsx';
import styles from './company-sign-in.module.css';
import { joinRequestsQuery } from './join-requests.ts';
import { confirmedAct, overtaken } from './parts.tsx';

type Props = { organization: Organization; zone: string | null; requests: readonly JoinRequest[] };

export function JoinRequestsCard({ organization, zone, requests }: Props) {
  const { data: roles = [] } = useQuery(rolesQuery(organization.id));
  return (
    <Card id="asking" title={text.title} lead={text.lead({ organization: organization.name })}>
      <ul className={styles.people}>
        {requests.map((request) => (
          <Person
            key={request.userId}
            organization={organization}
            zone={zone}
            request={request}
            roles={roles}
          />
        ))}
      </ul>
    </Card>
  );
}

type PersonProps = {
  organization: Organization;
  zone: string | null;
  request: JoinRequest;
  roles: readonly Role[];
};

function Person({ organization, zone, request, roles }: PersonProps) {
  const { userId, firstName, lastName, email, askedTime } = request;
  const orgId = organization.id;
  const name = personName(firstName, lastName, email);
  const [chosen, setChosen] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const client = useQueryClient();
  const { refresh } = useMembersChanged(orgId);
  const refetch = () => client.invalidateQueries(joinRequestsQuery(orgId));
  // They have withdrawn the request, or another admin has answered it.
  const claims = { user_not_found: overtaken(refetch, () => setDeclining(false)) };
  const accept = useCall(joinRequests.accept, claims);
  const decline = useCall(joinRequests.decline, claims);
  const roleId = chosen || usualRole(roles);
  const letIn = async () => {
    setMissing(roleId === '');
    if (roleId === '' || !(await accept.run({ orgId, userId, roleId: Number(roleId) as Role['id'] }))) return;
    refresh();
    await refetch();
    showAlert({ kind: 'success', text: text.isIn({ name }) });
  };
  return (
    <li>
      <Avatar name={name} />
      <div className={styles.person}>
        <strong>
          <Named>{name}</Named>
        </strong>
        {name !== email && (
          <span>
            <bdi>{email}</bdi>
          </span>
        )}
        <span>{text.asked({ time: momentsIn(zone).momentWithin(askedTime) })}</span>
      </div>
      <div className={styles.role}>
        <RoleField
          label={text.roleOf({ name })}
          hideLabel
          roles={roles}
          value={roleId}
          error={isMissing ? fieldText.required : undefined}
          onChange={({ target }) => {
            setChosen(target.value);
            setMissing(false);
          }}
        />
      </div>
      <div className={styles.acts}>
        <Button aria-label={text.declineOne({ name })} onClick={() => setDeclining(true)}>
          {text.decline}
        </Button>
        <Button
          kind="primary"
          busy={accept.busy}
          aria-label={text.letInOne({ name })}
          onClick={() => void letIn()}
        >
          {text.letIn}
        </Button>
      </div>
      {isDeclining && (
        <LateConfirm
          onClose={() => setDeclining(false)}
          title={text.declineTitle({ name })}
          act={text.declineAct}
          destructive
          onConfirm={confirmedAct(() => decline.run({ orgId, userId }), refetch, text.declined)}
        >
          {text.declineEffect({ name })}
        </LateConfirm>
      )}
    </li>
  );
}
