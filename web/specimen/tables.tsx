import { Pencil, Trash2, UserPlus, Users } from 'lucide-react';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Pill, type PillTone } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { NameCell, NameSkeleton, Table, type Column } from '#web/ui/table.tsx';

interface Person {
  name: string;
  email: string;
  role: string;
  status: string;
  tone: PillTone;
}
const people: Person[] = [
  { name: 'Maya Lindqvist', email: 'maya@northwind.io', role: 'Super Admin', status: 'Active', tone: 'good' },
  {
    name: 'Aiko Mori',
    email: 'aiko.mori.of.the.long.address@northwind.io',
    role: 'Sales',
    status: 'Invited',
    tone: 'warn',
  },
  { name: 'Jonas Weber', email: 'jonas@northwind.io', role: 'Sales', status: 'Inactive', tone: 'neutral' },
  { name: 'Priya Nair', email: 'priya@northwind.io', role: 'Support', status: 'Disabled', tone: 'bad' },
];
const columns: Column<Person>[] = [
  {
    key: 'name',
    head: 'Name',
    width: '38%',
    role: 'title',
    cell: (person) => (
      <NameCell picture={<Avatar name={person.name} />} name={person.name} sub={person.email} />
    ),
    skeleton: <NameSkeleton />,
  },
  { key: 'role', head: 'Role', cell: (person) => person.role },
  {
    key: 'status',
    head: 'Status',
    cell: (person) => <Pill tone={person.tone}>{person.status}</Pill>,
    skeleton: <Skeleton shape="pill" />,
  },
  {
    key: 'acts',
    head: 'Actions',
    width: '120',
    role: 'actions',
    cell: (person) => (
      <>
        <IconButton name={`Edit ${person.name}`} icon={<Pencil />} />
        <IconButton name={`Delete ${person.name}`} icon={<Trash2 />} />
      </>
    ),
  },
];
const empty = {
  title: 'No members yet',
  text: 'Invite the first one; they get a mail with a link to join.',
  icon: <Users />,
  action: <Button size="small">Add member</Button>,
};
const add = (
  <Button kind="primary" size="small" icon={<UserPlus />}>
    Add member
  </Button>
);

/** A table in each of its states. */
export function Tables() {
  const table = { columns, empty, rowKey: (person: Person) => person.email };
  return (
    <>
      <Card title="Members" lead="4 people, 1 invitation waiting" actions={add} flush>
        <Table {...table} caption="Members" rows={people} />
      </Card>
      <Card title="Members" lead="Loading" flush>
        <Table {...table} caption="Members, loading" rows={undefined} />
      </Card>
      <Card flush>
        <Table {...table} caption="Members, none" rows={[]} />
      </Card>
      <Card flush>
        <Table {...table} caption="Members, failed" rows={undefined} error onRetry={() => {}} />
      </Card>
    </>
  );
}
