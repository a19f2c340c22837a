import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { BACKEND_PID } from '#server/db/pooler.ts';

export type Query = { readonly text: string; readonly values: readonly unknown[]; readonly ms: number };

type Send = (query: string | { text: string; values?: unknown[] }, ...more: unknown[]) => unknown;

/**
 * Every statement that this process sends during `work`, from any caller, except the statement that opens a
 * connection. PGlite begins and commits without statements.
 */
export async function queriesOf(
  work: () => Promise<unknown>,
  atSend: (query: Pick<Query, 'text'>) => void = () => undefined,
): Promise<Query[]> {
  const queries: Query[] = [];
  const watch = (send: Send): Send =>
    function watched(this: unknown, query, ...more) {
      const { text, values } = typeof query === 'string' ? { text: query, values: more[0] } : query;
      atSend({ text });
      const started = performance.now();
      const answer = send.call(this, query, ...more);
      if (text === BACKEND_PID) return answer;
      // A call with a callback returns no promise and is not timed.
      const record = () =>
        void queries.push({
          text,
          values: Array.isArray(values) ? (values as unknown[]) : [],
          ms: performance.now() - started,
        });
      if (answer instanceof Promise) void answer.then(record, record);
      else record();
      return answer;
    };
  const pglite = PGlite.prototype as unknown as { query: Send; transaction: Transacts };
  const client = pg.Client.prototype as unknown as { query: Send };
  const restore = [
    replace(pglite, 'query', watch(pglite.query)),
    replace(client, 'query', watch(client.query)),
    // PGlite's transactions use another method.
    replace(pglite, 'transaction', transactWith(pglite.transaction, watch)),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return queries;
}

type Transacts = (run: (tx: { query: Send }) => Promise<unknown>) => Promise<unknown>;
const transactWith = (transaction: Transacts, watch: (send: Send) => Send): Transacts =>
  function transact(this: unknown, run) {
    return transaction.call(this, (tx) => run(Object.assign(tx, { query: watch(tx.query) })));
  };

/** Replaces a method of an object, own or inherited; returns a function that restores it. */
function replace<T extends object, K extends keyof T & string>(object: T, name: K, method: T[K]) {
  const own = Object.getOwnPropertyDescriptor(object, name);
  object[name] = method;
  return () => (own ? Object.defineProperty(object, name, own) : Reflect.deleteProperty(object, name));
}
