import { useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { members } from '#contract/members/calls.ts';
import { organizationText as text } from '#words/organization.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './switch-organization.module.css';
import { Named } from '#web/ui/named.tsx';

export type PendingInvitation = Output<typeof members.invitations>[number];

type Props = {
  invitations: readonly PendingInvitation[];
  onJoined: (urlName: string) => Promise<void>;
  onDeclined: () => void;
};

export function PendingInvitations({ invitations, onJoined, onDeclined }: Props) {
  const { run, busy } = useCall(members.answer);
  const [answering, setAnswering] = useState<number>();
  const answer = async ({ id, organization }: PendingInvitation, accept: boolean) => {
    setAnswering(id);
    const reply = await run({ id, accept });
    if (!reply) return;
    if (reply.urlName !== undefined) return onJoined(reply.urlName);
    showAlert({ kind: 'success', text: text.declined({ organization }) });
    onDeclined();
  };
  return (
    <section>
      <h2 className={styles.heading}>{text.invitations}</h2>
      <ul className={styles.invitations}>
        {invitations.map((invitation) => {
          const { id, organization, role, invitedBy, linkNeeded } = invitation;
          return (
            <li key={id}>
              <Avatar name={organization} shape="square" />
              <div className={styles.words}>
                <strong>
                  <Named>{organization}</Named>
                </strong>
                <span>{text.invitedAs({ role, invitedBy })}</span>
                {linkNeeded && <span>{text.linkNeeded}</span>}
              </div>
              <div className={styles.answers}>
                <Button
                  size="small"
                  aria-label={text.declineOne({ organization })}
                  disabled={busy}
                  onClick={() => void answer(invitation, false)}
                >
                  {text.decline}
                </Button>
                {!linkNeeded && (
                  <Button
                    size="small"
                    kind="primary"
                    aria-label={text.joinOne({ organization })}
                    busy={busy && answering === id}
                    onClick={() => void answer(invitation, true)}
                  >
                    {text.join}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
