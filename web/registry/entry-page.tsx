import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { can } from '#contract/members/authority.ts';

import type { OrgId } from '#contract/wire.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { Address } from '#web/ui/address.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { NotThere } from '#web/ui/not-there.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, Notices, PageHeader } from '#web/ui/sections.tsx';
import { actIcons, actsOn, hasSecret } from './acts.tsx';
import type { FormProps } from './entry-form-dialog.tsx';
import { useEntryPopups } from './entry-popups.tsx';
import { entriesQuery, type Entry, formerSecret, type Registry } from './registry.ts';
import type { RegistryPageProps } from './registry-page.tsx';

export type EntryPageProps = RegistryPageProps & { id: number | undefined };
export type PartProps<E extends Entry> = { orgId: OrgId; entry: E; zone: string | null };
type Props<E extends Entry> = EntryPageProps & {
  registry: Registry<E>;
  Form: ComponentType<FormProps<E>>;
  /** The content of the first card, and the card below it. */
  About: ComponentType<PartProps<E>>;
  More: ComponentType<PartProps<E>>;
};

export const EntryPage = <E extends Entry>(props: Props<E>) => (
  <SuperAdminPage
    organization={props.organization}
    text={props.registry.text}
    isAllowed={can(props.caller, { to: props.registry.act })}
  >
    {(crumbs) => <EntryParts {...props} above={crumbs} />}
  </SuperAdminPage>
);

function EntryParts<E extends Entry>(props: Props<E> & { above: ReactNode }) {
  const { registry, organization, user, id, About, More, above } = props;
  const { text } = registry;
  const { data, isError, refetch } = useQuery(entriesQuery(registry, organization.id));
  const { open, parts } = useEntryPopups(props);
  const entry = data?.find((one) => one.id === id);
  const toList = {
    to: `/$orgId/organization/${registry.path}` as const,
    params: { orgId: organization.urlName },
  };
  const crumbs = (
    <>
      {above}
      <Link {...toList}>{text.title}</Link>
    </>
  );
  if (!entry) {
    const back = (
      <Link {...toList} className={buttonClass({ kind: 'primary' })}>
        {text.back}
      </Link>
    );
    return (
      <NotThere
        title={text.one}
        crumbs={crumbs}
        failed={isError}
        onRetry={() => void refetch()}
        gone={data !== undefined && { title: text.gone, hint: text.goneHint, back }}
      />
    );
  }
  const kind = registry as Registry<Entry>;
  const { momentWithin } = momentsIn(user.timeZone);
  const trouble = registry.troubleOf?.(entry, momentWithin);
  const part = { orgId: organization.id, entry, zone: user.timeZone };
  return (
    <>
      <PageHeader
        title={<Address>{registry.nameOf(entry)}</Address>}
        lead={
          <>
            {entry.description} <Pill {...registry.stateOf(entry)} />
          </>
        }
        crumbs={crumbs}
        actions={
          <>
            <Button icon={<Pencil />} onClick={() => open('edit', entry)}>
              {text.editAct}
            </Button>
            {actsOn(kind, entry).map(
              (act) =>
                act !== 'rotate' && (
                  <Button
                    key={act}
                    kind={act === 'remove' ? 'danger-plain' : 'plain'}
                    icon={actIcons[act]}
                    onClick={() => open(act, entry)}
                  >
                    {text[`${act}Act`]}
                  </Button>
                ),
            )}
          </>
        }
      />
      {trouble && (
        <Notices>
          <Notice kind={trouble.kind}>{trouble.words}</Notice>
        </Notices>
      )}
      <Card
        title={text.about}
        lead={text.aboutLead}
        actions={
          <a href="/api/docs/applications" target="_blank" rel="noreferrer">
            {text.guide}
          </a>
        }
        {...(hasSecret(entry)
          ? {
              note: formerSecret(kind, entry, momentWithin) ?? text.secretOnce,
              foot: (
                <Button icon={actIcons.rotate} onClick={() => open('rotate', entry)}>
                  {text.rotateAct}
                </Button>
              ),
            }
          : { note: 'secretLess' in text && text.secretLess })}
      >
        <About {...part} />
      </Card>
      <More {...part} />
      {parts}
    </>
  );
}
