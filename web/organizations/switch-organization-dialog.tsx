import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Organization } from '#contract/organizations.ts';
import { organizationText } from '#contract/text/organizations.ts';
import { fill } from '#contract/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './switch-organization.module.css';

type Props = {
  open: boolean;
  onClose: () => void;
  current: Organization;
  others: readonly Organization[];
  /** Settles only when the person stays. */
  onSwitch: (organization: Organization) => Promise<void>;
  onAdd: () => void;
};

/** Chooses another of one's organizations; moving there loads the page anew. */
export function SwitchOrganizationDialog({ open, onClose, current, others, onSwitch, onAdd }: Props) {
  const [urlName, setUrlName] = useState(others[0]?.urlName ?? '');
  const [leaving, setLeaving] = useState(false);
  const chosen = others.find((organization) => organization.urlName === urlName);
  const options = others.map(({ name, urlName }) => ({
    value: urlName,
    label: name,
  }));
  const switchTo = async () => {
    if (!chosen) return;
    setLeaving(true);
    await onSwitch(chosen);
    setLeaving(false);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={() => void switchTo()}
      title={organizationText.switchTitle}
      description={fill(organizationText.switchLead, { name: current.name })}
      footer={
        <>
          <span className={styles.add}>
            <Button kind="quiet" icon={<Plus />} onClick={onAdd}>
              {organizationText.addOrganization}
            </Button>
          </span>
          <Button onClick={onClose}>{organizationText.cancel}</Button>
          <Button kind="primary" type="submit" busy={leaving} disabled={!chosen}>
            {organizationText.switch}
          </Button>
        </>
      }
    >
      <SelectField
        label={organizationText.organization}
        hint={chosen && fill(organizationText.roleThere, { role: chosen.role })}
        options={options}
        value={urlName}
        onChange={(event) => setUrlName(event.target.value)}
      />
    </Dialog>
  );
}
