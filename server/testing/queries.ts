import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { WHO_ANSWERS } from '#server/db/pooler.ts';

/** A statement as it left this process, and how long its answer took. */
export type Query = { readonly text: string; readonly values: readonly unknown[]; readonly ms: number };

type Asks = (asked: string | { text: string; values?: unknown[] }, ...more: unknown[]) => unknown;

/**
 * Every statement that this process sends while something is done, whoever sends it, but for the one that begins a
 * connection; PGlite begins and commits by itself.
 */
export async function queriesOf(work: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const watch = (ask: Asks): Asks =>
    function watched(this: unknown, asked, ...more) {
      const { text, values } = typeof asked === 'string' ? { text: asked, values: more[0] } : asked;
      const started = performance.now();
      const answer = ask.call(this, asked, ...more);
      if (text === WHO_ANSWERS) return answer;
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
  const pglite = PGlite.prototype as unknown as { query: Asks; transaction: Transacts };
  const client = pg.Client.prototype as unknown as { query: Asks };
  const restore = [
    replace(pglite, 'query', watch(pglite.query)),
    replace(client, 'query', watch(client.query)),
    // What PGlite asks in a transaction goes another way.
    replace(pglite, 'transaction', transactWith(pglite.transaction, watch)),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return queries;
}

type Transacts = (run: (tx: { query: Asks }) => Promise<unknown>) => Promise<unknown>;
const transactWith = (transaction: Transacts, watch: (ask: Asks) => Asks): Transacts =>
  function transact(this: unknown, run) {
    return transaction.call(this, (tx) => run(Object.assign(tx, { query: watch(tx.query) })));
  };

/** Puts another method in the place of an object's own or inherited one; returns what undoes it. */
function replace<T extends object, K extends keyof T & string>(object: T, name: K, method: T[K]) {
  const own = Object.getOwnPropertyDescriptor(object, name);
  object[name] = method;
  return () => (own ? Object.defineProperty(object, name, own) : Reflect.deleteProperty(object, name));
}
