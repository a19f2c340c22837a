import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { confirmed } from '#server/testing/people.ts';
import { setUpApp } from '#server/testing/second-steps.ts';
import { linkGoogle, startSocialApp } from '#server/testing/social-app.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);

type Person = Awaited<ReturnType<typeof confirmed>>;
async function removePasskey(visitor: Visitor) {
  const [passkey] = responseOf<{ passkeys: { id: string }[] }>(await visitor.get('/api/waysin')).passkeys;
  return visitor.send('DELETE', '/api/passkeys', { body: { id: passkey?.id } });
}
const removals: Record<string, (visitor: Visitor) => ReturnType<Visitor['get']>> = {
  Google: (visitor) => visitor.delete('/api/auth/linked', { provider: 'google' }),
  'a passkey': removePasskey,
};
const additions: Record<string, (person: Person) => Promise<unknown>> = {
  Google: ({ visitor }) => linkGoogle(app, visitor),
  'a passkey': ({ visitor }) => addPasskey(visitor, app.url),
  'an authenticator app': ({ visitor }) => setUpApp(app, visitor),
};

/** A person with a password, a confirmed address and these other ways in. */
async function personWith(...ways: string[]) {
  const person = await confirmed(app);
  for (const way of ways) await additions[way]?.(person);
  const { sql } = app.deps;
  const id = person.id as UserId;
  const has = (way: string) => ways.includes(way);
  if (!has('a password') && !has('a password without an address'))
    await sql.deleteFrom('passwords').where('user_id', '=', id).execute();
  // As when a former owner has taken the address back.
  if (!has('a confirmed address') && !has('a password'))
    await sql.updateTable('users').set({ email: null, confirmed_at: null }).where('id', '=', id).execute();
  return person.visitor;
}

describe.each(['Google', 'a passkey'])('%s', (way) => {
  const stays = 'last_way_in';
  test.each([
    ['a password', undefined],
    ['the other', undefined],
    ['a password without an address', stays],
    ['a confirmed address', stays],
    ['an authenticator app', stays],
    ['nothing else', stays],
  ])('beside %s: %s', async (other, code) => {
    const theOther = way === 'Google' ? 'a passkey' : 'Google';
    const rest = other === 'the other' ? theOther : other;
    const visitor = await personWith(way, rest);
    expect((await removals[way]?.(visitor))?.code).toBe(code);
    expect((await removals[rest]?.(visitor))?.code).toBe(removals[rest] && stays);
  });
});
