import { Laptop, LogOut, Moon, Plus, Sun, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { countries } from '#contract/countries.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { addressInput, TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Menu, MenuChoice, MenuHead, MenuItem, MenuLink, MenuSeparator } from '#web/ui/menu.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import { useTheme, type Theme } from '#web/ui/theme.ts';

const themes: { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'As the system', icon: <Laptop /> },
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
];
const roles = [
  { value: '1', label: 'Admin' },
  { value: '2', label: 'Sales' },
];
const countryOptions = countries.map((country) => ({ value: country.name, label: country.name }));
const someTime = () => new Promise<void>((done) => setTimeout(done, 1200));

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const trigger = <IconButton name="Account" icon={<Avatar name="Maya Lindqvist" />} size="normal" round />;
  return (
    <Menu trigger={trigger}>
      <MenuHead>
        <strong>Maya Lindqvist</strong>
        Super Admin
      </MenuHead>
      <MenuLink icon={<Plus />} href="#add">
        Add Organization
      </MenuLink>
      <MenuItem icon={<Trash2 />} danger onSelect={() => {}}>
        Delete account
      </MenuItem>
      <MenuSeparator />
      <MenuChoice label="Theme" value={theme} onChange={setTheme} options={themes} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => {}}>
        Logout
      </MenuItem>
    </Menu>
  );
}

function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [country, setCountry] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    await someTime();
    setBusy(false);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={busy}
      onSubmit={() => void submit()}
      title="Invite a member"
      description="They get a mail with a link to join Northwind Traders."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            Send invitation
          </Button>
        </>
      }
    >
      <FieldGrid>
        <TextField label="First name" />
        <TextField label="Last name" />
      </FieldGrid>
      <TextField label="Email" {...addressInput} error="Please enter a valid email address." />
      <Combobox label="Country" options={countryOptions} value={country} onChange={setCountry} />
      <SelectField label="Role" options={roles} />
    </Dialog>
  );
}

/** The dialogs and the buttons that open them. */
export function Overlays() {
  const [open, setOpen] = useState<'invite' | 'remove' | 'upgrade'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen('invite')}>Invite</Button>
      <Button onClick={() => setOpen('remove')}>Remove</Button>
      <Button onClick={() => setOpen('upgrade')}>Upgrade</Button>
      <InviteDialog open={open === 'invite'} onClose={close} />
      <Confirm
        open={open === 'remove'}
        onClose={close}
        title="Delete this device?"
        act="Delete device"
        destructive
        onConfirm={someTime}
      >
        Safari On iOS in Stockholm will be signed out at once. Anyone using it has to sign in again.
      </Confirm>
      <Confirm
        open={open === 'upgrade'}
        onClose={close}
        title="Upgrade your plan?"
        act="Upgrade"
        href="#pricing"
      >
        Your plan has no free seat.
      </Confirm>
    </>
  );
}
