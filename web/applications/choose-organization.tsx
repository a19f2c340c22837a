import { useState } from 'react';
import type { OrgId } from '#contract/wire.ts';
import { authorizeText as text } from '#contract/text/authorize.ts';
import { fill } from '#contract/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

type Organization = { readonly id: OrgId; readonly name: string; readonly mayEnter: boolean };
type Props = {
  application: string;
  organizations: readonly Organization[];
  busy: boolean;
  onChosen: (orgId: OrgId, remember: boolean) => void;
};

/** Asks for the organization of a visit; the default one comes first. */
export function ChooseOrganization({ application, organizations, busy, onChosen }: Props) {
  const first = organizations.find(({ mayEnter }) => mayEnter);
  const [orgId, setOrgId] = useState(first?.id);
  const [remember, setRemember] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (orgId !== undefined) onChosen(orgId, remember);
      }}
    >
      <SelectField
        label={text.organizationLabel}
        value={String(orgId)}
        onChange={({ target }) => setOrgId(Number(target.value) as OrgId)}
        options={organizations.map(({ id, name, mayEnter }) => ({
          value: String(id),
          label: mayEnter ? name : fill(text.notHere, { organization: name, application }),
          disabled: !mayEnter,
        }))}
      />
      <Checkbox
        label={fill(text.remember, { application })}
        checked={remember}
        onChange={({ target }) => setRemember(target.checked)}
      />
      <Button type="submit" kind="primary" wide busy={busy}>
        {text.goOn}
      </Button>
    </form>
  );
}
