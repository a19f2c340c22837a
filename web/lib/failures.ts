import type { CallError } from './call.ts';
import { showAlert } from './alert-store.ts';

const presenters = new Map<string, (failure: CallError) => number | void>();

/** For failures of a code or kind for which an alert is not enough, such as the upgrade popup. */
export const presentWith = (codeOrShown: string, present: (failure: CallError) => number | void) =>
  presenters.set(codeOrShown, present);

/** As `contract/split-by-bytes/shown.ts` says. Returns the id of the alert, if it shows one. */
export function present(failure: CallError): number | undefined {
  const presenter = presenters.get(failure.code) ?? presenters.get(failure.shown);
  if (presenter) return presenter(failure) ?? undefined;
  return showAlert({ kind: failure.shown === 'warning' ? 'warning' : 'danger', text: failure.message });
}
