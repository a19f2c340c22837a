import { SECOND_MS } from '#server/clock.ts';
import type { Bucket } from '#server/config-readers.ts';
import { signed } from './signature.ts';
import { type Storage, StorageAway, type StoredFile } from './storage.ts';

const PATIENCE_MS = 5 * SECOND_MS;

/** Files in a bucket of any S3 server, addressed by path. Without a library, because four calls suffice. */
export function inBucket(bucket: Bucket, patienceMs = PATIENCE_MS): Storage {
  /** Returns undefined if there is no such file; throws StorageAway for any other failure. */
  async function send(method: string, name: string, query: Record<string, string> = {}, body?: Uint8Array) {
    const url = new URL(`${bucket.url.href}${name === '' ? '' : `/${bucket.prefix}${name}`}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    try {
      const answer = await fetch(url, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
        headers: signed(method, url, body ?? new Uint8Array(), bucket, new Date()),
        ...(body && { body: new Uint8Array(body) }),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.ok) return bytes;
      const code = codeIn(textOf(bytes));
      if (code === 'NoSuchKey') return undefined;
      throw new Error(`${method} was answered ${answer.status} ${code}`);
    } catch (cause) {
      throw new StorageAway(`the image bucket: ${messageOf(cause as Error)}`, { cause });
    }
  }

  async function* list(): AsyncIterable<StoredFile> {
    let next = '';
    do {
      const query = { 'list-type': '2', prefix: bucket.prefix };
      const page = textOf(await send('GET', '', next ? { ...query, 'continuation-token': next } : query));
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = valueOf(entry, 'Key').slice(bucket.prefix.length);
        yield { name, storedAt: new Date(valueOf(entry, 'LastModified')) };
      }
      next = valueOf(page, 'NextContinuationToken');
    } while (next !== '');
  }

  return {
    put: async (name, bytes) => void (await send('PUT', name, {}, bytes)),
    get: (name) => send('GET', name),
    delete: async (name) => void (await send('DELETE', name)),
    list,
  };
}

/** `fetch` keeps its reason in a cause, which has a code alone if a name has several addresses. */
function messageOf({ message, cause }: Error) {
  const reason = cause as NodeJS.ErrnoException | undefined;
  return reason?.message || reason?.code || message;
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const escapes: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** The text of an XML element without children. */
const valueOf = (xml: string, name: string) =>
  (new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '').replace(
    /&(\w+);/g,
    (whole, escape: string) => escapes[escape] ?? whole,
  );
/** The server's error code; the rest of its answer must not reach the log. */
const codeIn = (xml: string) => /^\w{0,60}$/.exec(valueOf(xml, 'Code'))?.[0] ?? '';
