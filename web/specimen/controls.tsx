import { ImageUp, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { countries } from '#contract/countries.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton, IconLink } from '#web/ui/icon-button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { Card, FieldGrid, FullRow, Split } from '#web/ui/sections.tsx';
import styles from './specimen.module.css';

const countryOptions = countries.map((country) => ({ value: country.name, label: country.name }));
const zoneOptions = [
  {
    value: 'Europe/Stockholm',
    label: '(UTC+01:00) Europe/Stockholm',
    group: 'Europe',
    alsoFoundBy: ['Stockholm'],
  },
  { value: 'Europe/Rome', label: '(UTC+01:00) Europe/Rome', group: 'Europe', alsoFoundBy: ['Rome'] },
  { value: 'America/Lima', label: '(UTC-05:00) America/Lima', group: 'America', alsoFoundBy: ['Lima'] },
];
const roles = [
  { value: '1', label: 'Admin' },
  { value: '2', label: 'Sales' },
];

function Buttons() {
  const [busy, setBusy] = useState(false);
  const work = () => {
    setBusy(true);
    setTimeout(() => setBusy(false), 1500);
  };
  return (
    <Card title="Buttons" lead="One primary a page.">
      <div className={styles.row}>
        <Button kind="primary" busy={busy} onClick={work}>
          Save changes
        </Button>
        <Button icon={<Plus />}>Create organization</Button>
        <Button kind="quiet">Discard</Button>
        <Button kind="danger">Delete device</Button>
        <Button kind="danger-plain">Sign out all others</Button>
        <Button href="#root">A link</Button>
      </div>
      <div className={styles.row}>
        <Button kind="primary" size="small" icon={<Plus />}>
          Add member
        </Button>
        <Button size="small" icon={<ImageUp />}>
          Change picture
        </Button>
        <Button kind="quiet" size="small">
          Remove
        </Button>
        <IconButton name="Edit Tom Okafor" icon={<Pencil />} />
        <IconButton name="Delete Tom Okafor" icon={<Trash2 />} disabled />
        <IconLink name="Edit role" icon={<Pencil />} href="#root" kind="plain" />
      </div>
      <div className={styles.row}>
        <Button kind="primary" disabled>
          Save changes
        </Button>
        <Button disabled>Plain</Button>
        <Button kind="quiet" disabled>
          Quiet
        </Button>
        <Button kind="primary" busy>
          Save changes
        </Button>
        <Button kind="danger" busy>
          Delete device
        </Button>
      </div>
    </Card>
  );
}

function Ticks() {
  const [on, setOn] = useState(true);
  return (
    <Card title="Checkboxes">
      <Checkbox
        label="Product updates"
        hint="New features, once a month."
        checked={on}
        onChange={() => setOn(!on)}
      />
      <Checkbox label="Product offers" defaultChecked={false} />
      <Checkbox label="All modules" indeterminate checked={false} readOnly />
      <Checkbox label="Make this my default organization" error="Choose one default organization." />
      <div className={styles.row}>
        <Checkbox label="Read documents" hideLabel defaultChecked />
        <Checkbox label="Ticked and fixed" disabled defaultChecked />
        <Checkbox label="Open and fixed" disabled />
      </div>
    </Card>
  );
}

/** Buttons, fields and checkboxes. */
export function Controls() {
  const [country, setCountry] = useState<string | null>('Sweden');
  const [zone, setZone] = useState<string | null>(null);
  return (
    <>
      <Buttons />
      <Split title="Profile information" lead="Your name is shown to people in your organizations.">
        <form aria-label="Profile">
          <Card
            note="3 unsaved changes"
            foot={
              <Button kind="primary" size="small" type="submit" disabled>
                Save changes
              </Button>
            }
          >
            <div className={styles.row}>
              <Avatar name="Maya Lindqvist" size="large" />
              <Avatar name="Tom Okafor" />
              <Avatar name="Northwind" shape="square" size="tiny" />
            </div>
            <FieldGrid>
              <TextField label="First name" name="first" defaultValue="Maya" />
              <TextField label="Last name" name="last" error="This field is required." />
              <TextField
                label="Email"
                defaultValue="maya@northwind.io"
                readOnly
                hint="Only an admin can change it."
              />
              <Combobox label="Country" options={countryOptions} value={country} onChange={setCountry} />
              <FullRow>
                <Combobox
                  label="Time zone"
                  placeholder="Choose a time zone"
                  empty="No time zone begins with that"
                  error="Please choose a time zone from the list."
                  options={zoneOptions}
                  value={zone}
                  onChange={setZone}
                />
              </FullRow>
              <TextField label="Search" type="search" placeholder="Search members" end={<Search />} />
              <SelectField label="Role" options={roles} />
              <PasswordField
                label="Password"
                defaultValue="correct horse"
                aside={<a href="#root">Forgot password?</a>}
              />
              <TextField label="Disabled" defaultValue="Not now" disabled />
              <FullRow>
                <TextAreaField label="Description" hint="Shown to the people you invite." />
              </FullRow>
            </FieldGrid>
          </Card>
        </form>
      </Split>
      <Split title="Communications" lead="Which mails we may send you.">
        <Ticks />
      </Split>
    </>
  );
}
