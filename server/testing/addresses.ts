import type { UserId } from '#contract/wire.ts';
import { mailedDigest, newEmail, type Person } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

/** Requests a new address for the caller; returns it and the digest mailed there. */
export async function requestAddress(
  app: TestApp,
  { visitor }: Pick<Person, 'visitor'>,
  email = newEmail('next'),
) {
  responseOf(await visitor.put('/api/user', { email }));
  return { email, digest: await mailedDigest(app, email) };
}

/** Requests and confirms a new address; returns it. */
export async function moved(app: TestApp, person: Pick<Person, 'visitor'>, email?: string) {
  const next = await requestAddress(app, person, email);
  responseOf(await person.visitor.post('/api/verifyemail', { digest: next.digest }));
  return next.email;
}

/** The caller's own data. */
export const self = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf<Record<string, unknown>>(await visitor.get('/api/user'));

/** The newest activity row of a person. */
export const newestRow = ({ deps }: TestApp, userId: number) =>
  deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId as UserId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
