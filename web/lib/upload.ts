import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { type Envelope, outputOf, unreadable } from '#web/lib/call.ts';

/** How a file is sent: who is told how far it has come, and what stops it. */
export type Sending = {
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
};

/** Sends a form with a file and tells how far it has come, 0 to 100; throws CallError as every call does, and never settles once it was stopped. */
export function upload<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { onPercent, signal }: Sending,
): Promise<Output<E>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(
    z.encode(endpoint.input, input) as Record<string, string | File>,
  ))
    form.append(name, value);
  // fetch does not tell how much of a body has left.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, endpoint.path);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onPercent(Math.round((100 * loaded) / total)),
  );
  return new Promise((resolve, reject) => {
    request.addEventListener('error', () => reject(unreadable()));
    request.addEventListener('load', () => {
      const envelope = request.response as Envelope | null;
      // Refusals too come as an envelope; anything else was not ours.
      if (envelope === null) return reject(unreadable());
      try {
        resolve(outputOf(endpoint, envelope));
      } catch (failure) {
        reject(failure);
      }
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
