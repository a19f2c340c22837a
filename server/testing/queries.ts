import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

/** A statement as it left this process, and how long its answer took. */
export type Query = { readonly text: string; readonly values: readonly unknown[]; readonly ms: number };

type Asks = (asked: string | { text: string; values?: unknown[] }, ...more: unknown[]) => unknown;

/** Every statement that this process sends while something is done, whoever sends it, on both engines. */
export async function queriesOf(work: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const watched = [PGlite.prototype, pg.Client.prototype] as unknown as { query: Asks }[];
  const unwatch = watched.map((client) => {
    const own = Object.getOwnPropertyDescriptor(client, 'query');
    const ask = client.query;
    client.query = function watch(this: unknown, asked, ...more) {
      const { text, values } = typeof asked === 'string' ? { text: asked, values: more[0] } : asked;
      const started = performance.now();
      const answer = ask.call(this, asked, ...more);
      // Who hands over a callback gets no promise, and is not timed.
      const note = () =>
        void queries.push({
          text,
          values: Array.isArray(values) ? (values as unknown[]) : [],
          ms: performance.now() - started,
        });
      if (answer instanceof Promise) void answer.then(note, note);
      else note();
      return answer;
    };
    return () =>
      own ? Object.defineProperty(client, 'query', own) : Reflect.deleteProperty(client, 'query');
  });
  try {
    await work();
  } finally {
    for (const restore of unwatch) restore();
  }
  return queries;
}
