import { useMemo, useState } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { fieldText } from '#words/field.ts';
import { spokenLanguage } from '#words/language.ts';
import { invitationText } from '#words/invitation.ts';
import { membersText as text } from '#words/members.ts';
import { uiText } from '#words/ui.ts';
import type { RoleId } from '#contract/wire.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { InvitationLanguage } from './invitation-language.tsx';
import { InvitationLines } from './invitation-lines.tsx';
import type { MemberFilter } from './member-filter.ts';
import { useMembersChanged } from './member-queries.ts';
import { RoleField, usualRole } from './role-field.tsx';
import { isUnsent, linesIn, useInvitations } from './use-invitations.ts';

/** The most mails that the server sends for one person per hour. */
const AT_ONCE_MAX = 500;

type Props = {
  organization: Organization;
  roles: readonly Role[];
  filter: MemberFilter;
  /** The person's own address is not confirmed, so every invitation would be refused. */
  mustConfirm: boolean;
  onClose: () => void;
};

export function InviteManyDialog({ organization, roles, filter, mustConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [chosenRole, setChosenRole] = useState<string>();
  const roleId = chosenRole ?? usualRole(roles);
  const [language, setLanguage] = useState<string>(organization.language ?? spokenLanguage.tag);
  const [tried, setTried] = useState(false);
  const { addRows } = useMembersChanged(organization.id);
  const { lines, running, send, stop, reset } = useInvitations(organization.id, (invited) =>
    addRows(invited, filter),
  );
  const pastedLines = useMemo(() => linesIn(typed), [typed]);
  const currentLines = lines ?? pastedLines;
  const unsentCount = currentLines.filter(isUnsent).length;
  const tooMany =
    pastedLines.length > AT_ONCE_MAX
      ? text.tooMany({ max: AT_ONCE_MAX, count: pastedLines.length })
      : undefined;

  const startOver = () => {
    setTyped('');
    setTried(false);
    reset();
  };
  const submit = () => {
    if (lines && unsentCount === 0) return onClose();
    setTried(true);
    if (unsentCount > 0 && roleId && !tooMany)
      void send(currentLines, { roleId: Number(roleId) as RoleId, language });
  };
  const secondaryButton = running ? (
    <Button onClick={stop}>{text.stop}</Button>
  ) : lines && unsentCount === 0 ? (
    <Button onClick={startOver}>{text.more}</Button>
  ) : (
    <Button onClick={onClose}>{lines ? uiText.close : uiText.cancel}</Button>
  );
  return (
    <Dialog
      onClose={onClose}
      busy={running}
      filled={!lines && typed.trim() !== ''}
      size="wide"
      title={text.manyTitle}
      description={text.manyLead}
      form={{ onSubmit: submit }}
      footer={
        <>
          {secondaryButton}
          <Button kind="primary" type="submit" busy={running}>
            {lines ? wordsOnward(unsentCount) : wordsToSend(unsentCount)}
          </Button>
        </>
      }
    >
      {mustConfirm && <Notice kind="warning">{invitationText.confirmFirst}</Notice>}
      {!lines && (
        <>
          <TextAreaField
            label={text.addresses}
            name="addresses"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            hint={text.addressesHint}
            value={typed}
            error={tooMany ?? (tried && unsentCount === 0 ? text.noAddress : undefined)}
            onChange={(event) => setTyped(event.target.value)}
          />
          <RoleField
            label={text.roleForAll}
            name="roleId"
            required
            roles={roles}
            value={roleId}
            error={tried && !roleId ? fieldText.required : undefined}
            onChange={({ target }) => setChosenRole(target.value)}
          />
          <InvitationLanguage
            name="language"
            value={language}
            onChange={({ target }) => setLanguage(target.value)}
          />
        </>
      )}
      {currentLines.length > 0 && !tooMany && (
        <InvitationLines lines={currentLines} hasStarted={lines !== undefined} />
      )}
    </Dialog>
  );
}

const wordsToSend = (count: number) => (count === 0 ? text.send : text.sendMany({ count }));
const wordsOnward = (count: number) => (count === 0 ? text.done : text.remaining({ count }));
