import type { UserId } from '#contract/wire.ts';
import { mailedDigest, newEmail, type Person } from './people.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

export async function requestAddress(
  app: TestApp,
  { visitor }: Pick<Person, 'visitor'>,
  email = newEmail('next'),
) {
  responseOf(await visitor.put('/api/user', { email }));
  return { email, digest: await mailedDigest(app, email) };
}

export async function moved(app: TestApp, person: Pick<Person, 'visitor'>, email?: string) {
  const next = await requestAddress(app, person, email);
  responseOf(await person.visitor.post('/api/verifyemail', { digest: next.digest }));
  return next.email;
}

export const self = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf<Record<string, unknown>>(await visitor.get('/api/user'));

export const newestRow = ({ deps }: TestApp, userId: number) =>
  deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId as UserId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
