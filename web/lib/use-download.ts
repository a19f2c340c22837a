import { useState } from 'react';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { downloadText as text } from '#words/download.ts';
import { spokenLanguage } from '#words/language.ts';
import { CallError, outputOf, request, unreadable, type Envelope } from './call.ts';
import { present } from './failures.ts';
import { waitWords } from './wait-words.ts';
import { type Claims, withProof } from './use-call.ts';
import { showAlert } from './alert-store.ts';

type Download = { readonly file: Blob; readonly name: string };

/** After a proof if it needs one. `bytes` is the size received so far. `doneWords` makes the message for the file. */
export function useDownload<E extends Endpoint>(
  endpoint: E,
  doneWords: (file: string) => string,
  claims: Claims = {},
) {
  const [bytes, setBytes] = useState<number>();
  const run = async (input: Input<E>) => {
    if (bytes !== undefined) return;
    setBytes(0);
    try {
      const download = await withProof(() => fetchFile(endpoint, input, setBytes));
      if (!download) return;
      save(download);
      showAlert({ kind: 'success', text: doneWords(download.name) });
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      (claims[failure.code] ?? present)(failure);
    } finally {
      setBytes(undefined);
    }
  };
  return { run, bytes };
}

async function fetchFile<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  onBytes: (bytes: number) => void,
): Promise<Download> {
  const response = await orUnreadable(() => request(endpoint, input));
  if (!response.ok) {
    const refusal = await orUnreadable(() => response.json() as Promise<Envelope>);
    outputOf(endpoint, refusal, waitWords(Number(response.headers.get('retry-after'))));
    throw unreadable();
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await orUnreadable(async () => reader?.read());
    if (!part?.value) break;
    parts.push(part.value);
    bytes += part.value.length;
    onBytes(bytes);
  }
  const [, name = 'download'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { file: new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name };
}

/** Turns a missing or broken answer into the error that `call` throws. */
const orUnreadable = async <T>(step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (cause) {
    throw Object.assign(unreadable(), { cause });
  }
};

function save({ file, name }: Download) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address before the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

const KILO = 1000;
const oneDigit = new Intl.NumberFormat(spokenLanguage.locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
export const sizeWords = (bytes: number) =>
  bytes < KILO * KILO
    ? text.kilobytes({ count: Math.ceil(bytes / KILO) })
    : text.megabytes({ count: oneDigit.format(bytes / KILO / KILO) });
