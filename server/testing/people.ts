import { OTP_CHARACTERS } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { scheduleDeletion } from '#server/accounts/deletion/actions.ts';
import { transaction } from '#server/db/connect.ts';
import { mailedDigest } from './mailed.ts';
import { getRow } from './rows.ts';
import type { TestApp } from './start-app.ts';
import { responseOf, type Visitor } from './visitor.ts';

export { mailedCode, mailedDigest } from './mailed.ts';

export const PASSWORD = 'sturdy arch 42';
let counter = 0;

export const newEmail = (name = 'maya') => `${name}${(counter += 1)}.${process.pid}@northwind.example`;

export type Person = { readonly visitor: Visitor; readonly email: string; readonly id: number };

export async function signedUp(app: TestApp, email = newEmail()): Promise<Person> {
  const visitor = app.visitor();
  const answer = await visitor.post('/api/signup', {
    emailId: email,
    password: PASSWORD,
    timezone: 'Europe/Stockholm',
  });
  return { visitor, email, id: responseOf<{ id: number }>(answer).id };
}

export async function confirmed(app: TestApp, email = newEmail()): Promise<Person> {
  const person = await signedUp(app, email);
  const digest = await mailedDigest(app, email);
  responseOf(await person.visitor.post('/api/verifyemail', { digest }));
  return person;
}

export async function founder(app: TestApp, name = 'Northwind Traders') {
  const person = await confirmed(app);
  const answer = await person.visitor.post('/api/orgs', {
    first_name: 'Maya',
    last_name: 'Lindqvist',
    country_name: 'Sweden',
    organaization_name: name,
  });
  const { Id, OrgUrlName } = responseOf<{ Id: number; OrgUrlName: string }>(answer);
  return { ...person, orgId: Id, urlName: OrgUrlName };
}

export const signIn = (visitor: Visitor, email: string, password = PASSWORD) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: '' });

/** Asks for a mailed link and chooses a password with it. */
export async function resetByMail(app: TestApp, email: string, password: string) {
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
  const digest = await mailedDigest(app, email);
  return app.visitor().put('/api/resetpassword', { digest, password, timezone: '' });
}

export const otherCode = (code: string) =>
  String((Number(code) + 1) % 10 ** OTP_CHARACTERS).padStart(OTP_CHARACTERS, '0');
export const TYPED_CODE = '1234567890'.slice(0, OTP_CHARACTERS);

export async function twoStepPerson(app: TestApp): Promise<Person> {
  const person = await confirmed(app);
  responseOf(await person.visitor.put('/api/mfa', { mfa_enabled: 1 }));
  return person;
}

export type Boss = Person & { readonly orgId: number };
type Invited = { readonly email: string; readonly id: number; readonly roleId: number };

export async function rolesOf(boss: Boss): Promise<Record<string, number>> {
  const init = responseOf<{ Roles: { id: number; name: string }[] }>(
    await boss.visitor.get(`/api/init?org_id=${boss.orgId}`),
  );
  return Object.fromEntries(init.Roles.map((role) => [role.name, role.id]));
}

export async function invited(
  boss: Boss,
  { role = 'Admin', email = newEmail('tom') } = {},
): Promise<Invited> {
  const roleId = (await rolesOf(boss))[role] ?? 0;
  const answer = await boss.visitor.post('/api/orgusers', {
    org_id: boss.orgId,
    role_id: roleId,
    first_name: 'Tom',
    last_name: 'Berg',
    email_id: email,
  });
  return { email, roleId, id: responseOf<{ user_id: number }>(answer).user_id };
}

export async function colleague(app: TestApp, boss: Boss, role?: string): Promise<Boss & Invited> {
  const person = await invited(boss, role === undefined ? {} : { role });
  const visitor = app.visitor();
  const digest = await mailedDigest(app, person.email);
  responseOf(await visitor.post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }));
  return { ...person, id: await idOf(app, person.email), visitor, orgId: boss.orgId };
}

/** The id of a person in the database. Answers about an invitation contain a stand-in instead. */
export async function idOf(app: TestApp, email: string): Promise<UserId> {
  return (await getRow(app, 'users', ['id'], { email })).id;
}

/** The id of a member as their organization sees it: a stand-in until they join. */
export async function shownIdOf(boss: Boss, email: string): Promise<number> {
  const path = `/api/orgusers?org_id=${boss.orgId}&search=${encodeURIComponent(email)}`;
  const { members } = responseOf<{ members: { user_id: number }[] }>(await boss.visitor.get(path));
  if (!members[0]) throw new Error(`${email} is not there`);
  return members[0].user_id;
}

export async function customRole(
  app: TestApp,
  orgId: number,
  name: string,
  isAdmin = false,
): Promise<number> {
  const role = { name, name_key: name.toLowerCase(), kind: 'custom' as const, is_admin: isAdmin };
  const { id } = await app.deps.sql
    .insertInto('roles')
    .values({ ...role, org_id: orgId as OrgId, created_at: app.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const deactivate = (
  app: TestApp,
  { id }: Pick<Person, 'id'>,
  reason = 'I am moving on',
): Promise<Date> => transaction(app.deps.sql, (tx) => scheduleDeletion(tx, app.deps, id as UserId, reason));
