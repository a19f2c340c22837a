import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { callHeaders, type Envelope, outputOf, unreadable } from './call.ts';
import { waitWords } from './wait-words.ts';

export type UploadOptions = {
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
};

/** Progress goes from 0 to 100. Throws CallError like every call, and never settles once aborted. */
export function upload<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { onPercent, signal }: UploadOptions,
): Promise<Output<E>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(
    z.encode(endpoint.input, input) as Record<string, string | File>,
  ))
    form.append(name, value);
  // fetch does not report upload progress.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, endpoint.path);
  for (const [name, value] of Object.entries(callHeaders)) request.setRequestHeader(name, value);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onPercent(Math.round((100 * loaded) / total)),
  );
  return new Promise((resolve, reject) => {
    request.addEventListener('error', () => reject(unreadable()));
    request.addEventListener('load', () => {
      const envelope = request.response as Envelope | null;
      // Refusals have our envelope too. Anything else is not from our server.
      if (envelope === null) return reject(unreadable());
      const wait = waitWords(Number(request.getResponseHeader('retry-after')));
      try {
        resolve(outputOf(endpoint, envelope, wait));
      } catch (failure) {
        reject(failure);
      }
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
