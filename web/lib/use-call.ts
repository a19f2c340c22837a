import { useRef, useState } from 'react';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { call, CallError } from './call.ts';
import { present } from './failures.ts';
import { dismissAlert } from './alert-store.ts';

/** Refusal codes that a component handles itself, instead of the alert. */
export type Claims = Partial<Record<string, (failure: CallError) => void>>;

/** Any proof, or a second step that meets this rule. */
type Needed = 'proof' | 'any' | 'strong';
const proofFor: Partial<Record<string, Needed>> = {
  reauthentication_required: 'proof',
  account_proof_required: 'proof',
  mailed_code_required: 'any',
  strong_step_required: 'strong',
};

/** Asks the person for a proof of identity. True once given. Only the signed-in area registers it. */
let prove: ((needed: Needed) => Promise<boolean>) | undefined;
export const proveWith = (ask: (needed: Needed) => Promise<boolean>) => {
  prove = ask;
};

export const proveNow = async (): Promise<boolean> => (await prove?.('proof')) ?? false;

/** Runs the attempt. If a proof is needed and given, it runs the attempt again, so that no input is lost. */
export async function withProof<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (failure) {
    const needed = failure instanceof CallError && proofFor[failure.code];
    if (!needed || !prove) throw failure;
    return (await prove(needed)) ? withProof(attempt) : undefined;
  }
}

/** A second submit while one runs is dropped. Refusals go to their claim or an alert. `run` resolves to the answer. */
export function useCall<E extends Endpoint>(endpoint: E, claims: Claims = {}) {
  const running = useRef(false);
  // The alert of the last attempt. The next attempt dismisses it.
  const lastAlert = useRef<number>(undefined);
  const [busy, setBusy] = useState(false);
  const run = async (input: Input<E>): Promise<Output<E> | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    if (lastAlert.current !== undefined) dismissAlert(lastAlert.current);
    setBusy(true);
    try {
      return await withProof(() => call(endpoint, input));
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      const claim = claims[failure.code];
      if (claim) claim(failure);
      else lastAlert.current = present(failure);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy };
}
