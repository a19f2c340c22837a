import { useState } from 'react';
import { activity } from '#contract/activity.ts';
import type { Input } from '#contract/endpoint.ts';
import { activityPageText as text } from '#contract/text/activity-page.ts';
import { fill } from '#contract/text.ts';
import { CallError, outputOf, request, unreadable } from '#web/lib/call.ts';
import type { Envelope } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { waitWords } from '#web/lib/wait-words.ts';
import { withProof } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';

type Filter = Input<typeof activity.export>;
type Download = { readonly file: Blob; readonly name: string };

/** Downloads the log as a file. `bytes` is the size received so far, or undefined. */
export function useExport() {
  const [bytes, setBytes] = useState<number>();
  const run = async (filter: Filter) => {
    if (bytes !== undefined) return;
    setBytes(0);
    try {
      const download = await withProof(() => fetchFile(filter, setBytes));
      if (!download) return;
      save(download);
      showAlert({ kind: 'success', text: fill(text.exported, { file: download.name }) });
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      present(failure);
    } finally {
      setBytes(undefined);
    }
  };
  return { run, bytes };
}

async function fetchFile(filter: Filter, onBytes: (bytes: number) => void): Promise<Download> {
  const response = await orUnreadable(() => request(activity.export, filter));
  if (!response.ok) {
    const refusal = await orUnreadable(() => response.json() as Promise<Envelope>);
    outputOf(activity.export, refusal, waitWords(Number(response.headers.get('retry-after'))));
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
  const [, name = 'activity'] =
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
/** The amount received, in words. */
export const sizeWords = (bytes: number) =>
  bytes < KILO * KILO
    ? fill(text.kilobytes, { count: Math.ceil(bytes / KILO) })
    : fill(text.megabytes, { count: (bytes / KILO / KILO).toFixed(1) });
