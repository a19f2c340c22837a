import type { CallError } from '#web/lib/call.ts';
import { showAlert } from '#web/ui/alert-store.ts';

const presenters = new Map<string, (failure: CallError) => number | void>();

/** Says how failures of a kind or code are shown, where an alert is not enough: the upgrade popup, being led on. */
export const presentWith = (codeOrShown: string, present: (failure: CallError) => number | void) =>
  presenters.set(codeOrShown, present);

/** Shows a failure as the catalogue says, unless the form that met it has claimed its code; the id of its alert, if that is how. */
export function present(failure: CallError): number | undefined {
  const own = presenters.get(failure.code) ?? presenters.get(failure.shown);
  if (own) return own(failure) ?? undefined;
  return showAlert({ kind: failure.shown === 'warning' ? 'warning' : 'danger', text: failure.message });
}
