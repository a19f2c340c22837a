import { useRef, useState } from 'react';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { dismissAlert } from '#web/ui/alert-store.ts';

/** What a screen does itself with a refusal's code, instead of the alert. */
export type Claims = Partial<Record<string, (failure: CallError) => void>>;

/** Asks the person to prove who they are; true once they have. Only the signed-in area can. */
let prove: (() => Promise<boolean>) | undefined;
export const proveWith = (ask: () => Promise<boolean>) => {
  prove = ask;
};

/** What an attempt gives; when a proof is asked for and given, what the same attempt gives then, so that no input is lost. */
export async function proven<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (failure) {
    const asked = failure instanceof CallError && failure.code === 'reauthentication_required';
    if (!asked || !prove) throw failure;
    return (await prove()) ? attempt() : undefined;
  }
}

/**
 * One call for a button or form: a second submit while one runs is dropped, a refusal goes to the claim of
 * its code or to the alerts. `run` resolves to the answer, or to undefined when there is none to go on with.
 */
export function useCall<E extends Endpoint>(endpoint: E, claims: Claims = {}) {
  const running = useRef(false);
  // What the last try has said; it is over with the next.
  const said = useRef<number>(undefined);
  const [busy, setBusy] = useState(false);
  const run = async (input: Input<E>): Promise<Output<E> | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    if (said.current !== undefined) dismissAlert(said.current);
    setBusy(true);
    try {
      return await proven(() => call(endpoint, input));
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      const claim = claims[failure.code];
      if (claim) claim(failure);
      else said.current = present(failure);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy };
}
