import { useQuery, queryOptions } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { type Organization, organizationSettings } from '#contract/organizations/calls.ts';
import { organizationText as text } from '#words/organization.ts';
import { nextMessage } from '#web/lib/stored-text.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { late } from '#web/ui/late.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { whileBusy } from '#web/lib/while-busy.ts';
import { joinOfferQuery } from './join-offer-query.ts';
import { type PendingInvitation, PendingInvitations } from './pending-invitations.tsx';
import styles from './switch-organization.module.css';
import { members } from '#contract/members/calls.ts';
import { SUPER_ADMIN } from '#contract/roles/calls.ts';
import { call } from '#web/lib/call.ts';

const JoinOffer = late(async () => (await import('./join-offer.tsx')).JoinOffer);

/** Whether the caller is the only Super Admin and so cannot leave. Fetched when needed. */
const lastSuperAdminQuery = ({ id, role }: Organization) =>
  queryOptions({
    queryKey: ['last-super-admin', id, role],
    queryFn: async () =>
      role === SUPER_ADMIN && (await call(members.list, { orgId: id, limit: 1 })).superAdmins <= 1,
  });

type Props = {
  onClose: () => void;
  current: Organization;
  others: readonly Organization[];
  invitations: readonly PendingInvitation[];
  /** Settles only if the person stays on the page. */
  onSwitch: (urlName: string) => Promise<void>;
  onDeclined: () => void;
  onAdd: () => void;
};

/** The name. If another organization has the same name, the URL name follows, because it is unique. */
const labelOf = (organization: Organization, all: readonly Organization[]) =>
  all.some((other) => other !== organization && other.name === organization.name)
    ? text.sameName(organization)
    : organization.name;

export function SwitchOrganizationDialog(props: Props) {
  const { onClose, current, others, invitations, onSwitch, onDeclined, onAdd } = props;
  const [urlName, setUrlName] = useState(others[0]?.urlName ?? '');
  const [moving, setMoving] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const leave = useCall(organizationSettings.leave);
  const { data: isLast, isPending } = useQuery(lastSuperAdminQuery(current));
  const { data: offer } = useQuery(joinOfferQuery);
  const reason = useId();
  const target = others.find((organization) => organization.urlName === urlName);
  const switchTo = async () => {
    if (!target) return;
    await whileBusy(setMoving, () => onSwitch(target.urlName));
  };
  return (
    <Dialog
      onClose={onClose}
      form={{ onSubmit: () => void switchTo() }}
      title={others.length + invitations.length > 0 || offer ? text.switchTitle : text.onlyTitle}
      description={text.switchLead(current)}
      footer={
        <>
          <span className={styles.add}>
            <Button kind="quiet" icon={<Plus />} onClick={onAdd}>
              {text.addOrganization}
            </Button>
          </span>
          <Button onClick={onClose}>{text.cancel}</Button>
          {others.length > 0 && (
            <Button kind="primary" type="submit" busy={moving} disabled={!target}>
              {text.switch}
            </Button>
          )}
        </>
      }
    >
      {others.length > 0 && (
        <SelectField
          label={text.organization}
          hint={target && text.roleThere(target)}
          options={others.map((other) => ({
            value: other.urlName,
            label: labelOf(other, [current, ...others]),
          }))}
          value={urlName}
          onChange={(event) => setUrlName(event.target.value)}
        />
      )}
      {invitations.length > 0 && (
        <PendingInvitations invitations={invitations} onJoined={onSwitch} onDeclined={onDeclined} />
      )}
      {offer && <JoinOffer offer={offer} onJoined={onSwitch} />}
      <p className={styles.leave}>
        <LinkButton
          aria-disabled={isPending || isLast}
          aria-describedby={isLast ? reason : undefined}
          onClick={() => isPending || isLast || setLeaving(true)}
        >
          {text.leave(current)}
        </LinkButton>
        {isLast && <span id={reason}>{text.leaveLast}</span>}
      </p>
      {leaving && (
        <Confirm
          onClose={() => setLeaving(false)}
          title={text.leaveTitle(current)}
          act={text.leaveAct}
          destructive
          onConfirm={async () => {
            if (!(await leave.run({ orgId: current.id }))) return false;
            nextMessage.keep(text.left(current));
            return leaveFor('/');
          }}
        >
          {text.leaveEffect}
        </Confirm>
      )}
    </Dialog>
  );
}
