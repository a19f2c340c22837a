import { type CompanyDomain, companyDomains, JOINING } from '#contract/company-sign-in/domains.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { companyDomainsText as text } from '#words/company-domains.ts';
import { fieldText } from '#words/field.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useEditForm } from '#web/lib/edit-form.ts';
import { useForm } from '#web/lib/form.ts';
import { useCall } from '#web/lib/use-call.ts';
import { RoleField, usualRole } from '#web/members/role-field.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { confirmedAct, overtaken } from './parts.tsx';
import { useDomainChanged } from './queries.ts';

export type DomainAct = { kind: 'add' } | { kind: 'joining' | 'remove'; domain: CompanyDomain };
type Props = { organization: Organization; roles: readonly Role[]; onClose: () => void };

export function DomainDialog({ act, ...props }: Props & { act: DomainAct }) {
  if (act.kind === 'add') return <AddDialog {...props} />;
  const Dialog = act.kind === 'joining' ? JoiningDialog : RemoveDialog;
  return <Dialog {...props} domain={act.domain} />;
}

function AddDialog({ organization, onClose }: Props) {
  const changed = useDomainChanged(organization.id);
  const form = useForm(companyDomains.add, {
    initial: { domain: '' },
    toInput: (values) => ({ ...values, orgId: organization.id }),
    above: ['domain_limit_reached', 'account_not_confirmed'],
    onDone: async () => {
      await changed();
      onClose();
      showAlert({ kind: 'success', text: text.added });
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      size="small"
      title={text.addTitle}
      description={text.addLead}
      act={text.add}
    >
      <FieldGrid>
        <FullRow>
          <TextField
            label={text.domain}
            hint={text.domainHint}
            placeholder="acme.example"
            {...form.field('domain')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            required
          />
        </FullRow>
      </FieldGrid>
    </FormDialog>
  );
}

type OfDomain = Props & { domain: CompanyDomain };

const useGone = ({ organization, onClose }: OfDomain) => {
  const changed = useDomainChanged(organization.id);
  const gone = overtaken(changed, onClose);
  return { changed, claims: { domain_not_found: gone, changed_meanwhile: gone } };
};

function JoiningDialog(props: OfDomain) {
  const { organization, domain, roles, onClose } = props;
  const { changed, claims } = useGone(props);
  const usual = usualRole(roles);
  const form = useEditForm(companyDomains.change, {
    initial: { joining: domain.joining, roleId: domain.roleId === null ? '' : String(domain.roleId) },
    toInput: ({ joining, roleId }) => ({
      orgId: organization.id,
      id: domain.id,
      joining,
      ...(joining === 'click' && { roleId: Number(roleId || usual) }),
    }),
    rules: ({ joining, roleId }) =>
      joining === 'click' && !(roleId || usual) ? { roleId: fieldText.required } : {},
    beside: { role_not_found: 'roleId', not_allowed: 'roleId' },
    above: ['account_not_confirmed'],
    claims,
    onDone: async (answer) => {
      await changed(answer);
      onClose();
      showAlert({ kind: 'success', text: text.joiningChanged });
    },
  });
  const { joining, roleId } = form.values;
  const chosen = JOINING.find((one) => one === joining) ?? 'invitation';
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      title={text.joiningTitle}
      description={text.joiningLead({ domain: domain.domain, organization: organization.name })}
      act={text.save}
    >
      <FieldGrid>
        <FullRow>
          <SelectField
            label={text.joining}
            hint={text.joiningHints[chosen]({ organization: organization.name })}
            {...form.field('joining')}
            options={JOINING.map((value) => ({ value, label: text.joinings[value] }))}
          />
        </FullRow>
        {chosen === 'click' && (
          <FullRow>
            <RoleField
              label={text.role}
              hint={text.roleHint}
              {...form.field('roleId')}
              required
              roles={roles}
              value={roleId || usual}
            />
          </FullRow>
        )}
      </FieldGrid>
    </FormDialog>
  );
}

function RemoveDialog(props: OfDomain) {
  const { organization, domain, onClose } = props;
  const { changed, claims } = useGone(props);
  const { run } = useCall(companyDomains.remove, claims);
  return (
    <Confirm
      onClose={onClose}
      title={text.removeTitle({ domain: domain.domain })}
      act={text.removeAct}
      destructive
      onConfirm={confirmedAct(
        () => run({ orgId: organization.id, id: domain.id, domain: domain.domain }),
        changed,
        text.removed,
      )}
    >
      {(domain.provenTime === null ? text.removeWaitingEffect : text.removeEffect)({
        organization: organization.name,
        domain: domain.domain,
      })}
    </Confirm>
  );
}
