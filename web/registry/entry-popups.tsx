import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { latePopup } from '#web/ui/late.tsx';
import type { FormProps } from './entry-form-dialog.tsx';
import type { Act } from './acts.tsx';
import type { Entry, Registry } from './registry.ts';

const SecretDialog = latePopup(async () => (await import('./registry-dialogs.tsx')).SecretDialog);
const ActDialog = latePopup(async () => (await import('./registry-dialogs.tsx')).EntryActDialog);

type Props<E extends Entry> = {
  registry: Registry<E>;
  organization: Organization;
  Form: ComponentType<FormProps<E>>;
};
type Popup<E> = { shows?: Act | 'edit' | 'add' | 'secret' | 'first secret'; entry?: E; secret?: string };

/** The popups of the list and of an entry’s page. An added entry leads to its page, a removed one to the list. */
export function useEntryPopups<E extends Entry>({ registry, organization, Form }: Props<E>) {
  const [{ shows, entry, secret }, setPopup] = useState<Popup<E>>({});
  const navigate = useNavigate();
  const list = `/$orgId/organization/${registry.path}` as const;
  const params = { orgId: organization.urlName };
  const goTo = ({ id }: Entry) => navigate({ to: `${list}/$id`, params: { ...params, id: String(id) } });
  const common = { orgId: organization.id, onClose: () => setPopup({}) };
  const acts = { ...common, registry: registry as Registry<Entry> };
  const onAdded = (added: Entry, made: string | null) => {
    if (made === null) void goTo(added);
    else setPopup({ shows: 'first secret', entry: added as E, secret: made });
  };
  const parts = (
    <>
      {(shows === 'add' || shows === 'edit') && <Form {...common} entry={entry} onSecret={onAdded} />}
      {entry && secret !== undefined && (
        <SecretDialog
          {...acts}
          entry={entry}
          secret={secret}
          onClose={() => (shows === 'first secret' ? void goTo(entry) : setPopup({}))}
        />
      )}
      {entry && (shows === 'rotate' || shows === 'pause' || shows === 'resume' || shows === 'remove') && (
        <ActDialog
          {...acts}
          act={shows}
          entry={entry}
          onSecret={(made) => setPopup(made === null ? {} : { shows: 'secret', entry, secret: made })}
          onRemoved={() => navigate({ to: list, params })}
        />
      )}
    </>
  );
  return {
    open: (act: Act | 'edit' | 'add', chosen?: E) =>
      setPopup({ shows: act, ...(chosen && { entry: chosen }) }),
    parts,
  };
}
