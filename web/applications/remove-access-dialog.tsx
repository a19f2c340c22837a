import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ConnectedApplication, connectedApplications } from '#contract/applications/connected.ts';
import { connectedText } from '#contract/text/connected.ts';
import { removeAccessText as text } from '#contract/text/remove-access.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = { application: ConnectedApplication; queryKey: QueryKey; onClose: () => void };

export function RemoveAccessDialog({ application: { id, name }, queryKey, onClose }: Props) {
  const cache = useQueryClient();
  const { run } = useCall(connectedApplications.removeAccess);
  const remove = async () => {
    const remaining = await run({ id });
    if (!remaining) return false;
    cache.setQueryData(queryKey, remaining);
    // A fetch in flight may bring older data.
    void cache.invalidateQueries({ queryKey });
    showAlert({ kind: 'success', text: fill(connectedText.removed, { application: name }) });
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={fill(text.title, { application: name })}
      act={connectedText.remove}
      destructive
      after={document.querySelector<HTMLElement>('main')}
      onConfirm={remove}
    >
      {fill(text.effect, { application: name })}
    </Confirm>
  );
}
