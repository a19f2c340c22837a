import { addPasskey, type Authenticator } from './authenticator.ts';
import { acted } from './operator.ts';
import { confirmed, type Person } from './people.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

/** Settings of a portal with a desk. A test may claim another address. */
export const DESK = { DESK_NETWORKS: '127.0.0.0/8', TRUSTED_PROXIES: '127.0.0.0/8' };

export type Operator = Person & { readonly authenticator: Authenticator };

/** Operators of an app, and their way to the desk. */
export function desk(app: TestApp) {
  async function operator(level: 'support' | 'full'): Promise<Operator> {
    const person = await confirmed(app);
    const authenticator = await addPasskey(person.visitor, app.url);
    await acted(app.deps, 'operators add', { person: String(person.id), level });
    return { ...person, authenticator };
  }
  async function passkeyFor({ visitor, authenticator }: Operator) {
    const asked = await visitor.post('/api/operator/passkey', {});
    return authenticator.get(responseOf<{ options: Parameters<Authenticator['get']>[0] }>(asked).options);
  }
  const prove = async (by: Operator) =>
    by.visitor.post('/api/operator/session', { passkey: await passkeyFor(by) });
  async function atDesk(level: 'support' | 'full'): Promise<Operator> {
    const person = await operator(level);
    responseOf(await prove(person));
    return person;
  }
  return { operator, passkeyFor, prove, atDesk };
}
