import { beforeAll, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { DELETION_GRACE_DAYS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { scheduleDeletion } from '#server/accounts/deletion/actions.ts';
import { eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { DAY_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';
import {
  type Boss,
  confirmed,
  founder,
  idOf,
  invited,
  mailedDigest,
  PASSWORD,
  signIn,
} from '#server/testing/people.ts';
import { deleteRows, listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp();
let boss: Boss;
beforeAll(async () => {
  boss = await founder(app);
  responseOf(await boss.visitor.post('/api/reauthenticate', { password: PASSWORD }));
});

type Row = Record<string, unknown>;
const inOrganization = (path: string) => `/api/${path}${path.includes('?') ? '&' : '?'}org_id=${boss.orgId}`;
const get = (path: string) => boss.visitor.get(inOrganization(path));
const log = async () => {
  const { audit, user_names } = responseOf<{ audit: Row[]; user_names: Record<string, string> }>(
    await get('auditlogs'),
  );
  return audit.map((row) => ({
    type: row['activity_type'],
    action: row['action'],
    by: user_names[String(row['user_id'])],
    about: user_names[String(row['record_id'])],
  }));
};
const everything = async () => {
  const paths = [
    'init',
    'orgusers',
    'auditlogs',
    'auditlogs/export?format=json',
    'auditlogs/export?format=csv',
    'notifications',
  ];
  const texts = [];
  for (const path of paths)
    texts.push(await (await boss.visitor.request('GET', inOrganization(path))).text());
  return texts.join('\n');
};
const withdraw = (id: number) =>
  boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id });

/** Invites a new address, and then a person who has an account. */
async function both() {
  const old = await confirmed(app);
  const fresh = await invited(boss);
  const known = await invited(boss, { email: old.email });
  return { old, fresh, known, ids: [old.id, await idOf(app, fresh.email)] };
}

test('pages show the id of the invitation instead of the person’s, whether or not they have an account (A16)', async () => {
  const { fresh, known, ids } = await both();
  expect(known.id - fresh.id).toBe(1);
  const pages = await everything();
  expect(pages).toContain(String(fresh.id));
  for (const id of ids) expect(pages).not.toContain(String(id));
});

test('the person’s own id finds nobody until they join; the invitation’s id works before and after', async () => {
  const { old, known } = await both();
  const codes = async (user_id: number) => {
    const body = { org_id: boss.orgId, user_id, first_name: `Tom${user_id}`, role_id: known.roleId };
    const answers: Answer[] = [
      await boss.visitor.put('/api/orgusers', body),
      await boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id }),
    ];
    const { total } = responseOf<{ total: number }>(await get(`orgusers?user_id=${user_id}`));
    return [...answers.map(({ code }) => code ?? 'ok'), total];
  };
  expect(await codes(old.id)).toEqual(['user_not_found', 'user_not_found', 0]);
  expect((await withdraw(old.id)).code).toBe('user_not_found');
  expect(await codes(known.id)).toEqual(['ok', 'ok', 1]);
  responseOf(
    await old.visitor.post('/api/invitation', { digest: await mailedDigest(app, old.email), accept: 1 }),
  );
  for (const id of [old.id, known.id]) expect(await codes(id)).toEqual(['ok', 'not_allowed', 1]);
});

test('the log shows a withdrawn invitation alike, whether or not the person had an account', async () => {
  const { fresh, known, ids } = await both();
  for (const { id } of [fresh, known]) responseOf(await withdraw(id));
  const [ofKnown, ofFresh] = await log();
  expect(ofKnown).toEqual(ofFresh);
  // As if somebody had moved to the new address, which deletes its unused account.
  await deleteRows(app, 'users', { email: fresh.email });
  expect((await log()).slice(0, 2)).toEqual([ofKnown, ofFresh]);
  const pages = await everything();
  for (const id of ids) expect(pages).not.toContain(String(id));
});

test('a declined invitation does not disclose the person’s id', async () => {
  const { old, ids } = await both();
  responseOf(
    await old.visitor.post('/api/invitation', { digest: await mailedDigest(app, old.email), accept: 0 }),
  );
  const [declined] = await log();
  expect(declined).toMatchObject({
    type: ACTIVITY_TYPE.invitationAnswer,
    action: ACTION.delete,
    by: declined?.about,
  });
  const pages = await everything();
  for (const id of ids) expect(pages).not.toContain(String(id));
});

const answerInvitation = async (person: { visitor: Boss['visitor']; email: string }, accept: 0 | 1) =>
  responseOf(
    await person.visitor.post('/api/invitation', { digest: await mailedDigest(app, person.email), accept }),
  );
const rowsOf = async (userId: number) => {
  const { audit } = responseOf<{ audit: Row[] }>(await get(`auditlogs?scope=organization&user_id=${userId}`));
  const path = inOrganization(`auditlogs/export?format=csv&scope=organization&user_id=${userId}`);
  const lines = (await (await boss.visitor.request('GET', path)).text()).trim().split('\n');
  return [audit.length, lines.length - 1];
};

test('the hash of a role’s holders is not made of their ids', async () => {
  const { ids, known, fresh } = await both();
  const { holders } = responseOf<{ holders: string }>(await get(`role?role_id=${known.roleId}&holders=1`));
  const invitedNow = await listRows(app, 'memberships', ['user_id'], { role_id: fresh.roleId }, 'user_id');
  const people = invitedNow.map(({ user_id: id }) => id);
  expect(people).toEqual(expect.arrayContaining(ids));
  expect(holders).not.toBe(sha256(people.join(',')).toString('hex'));
});

test('the log filtered by a person shows nothing while they have only declined, and their acts once they joined', async () => {
  const { old } = await both();
  await answerInvitation(old, 0);
  expect(await rowsOf(old.id)).toEqual([0, 0]);
  await invited(boss, { email: old.email });
  await answerInvitation(old, 1);
  expect(await rowsOf(old.id)).toEqual([2, 2]);
});

test('an invitation that passes to the person who proves its address does not disclose their id', async () => {
  const { email } = await invited(boss);
  const old = await confirmed(app);
  responseOf(await old.visitor.put('/api/user', { email }));
  responseOf(await old.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  expect(await idOf(app, email)).toBe(old.id);
  const [passed] = await log();
  expect(passed).toMatchObject({
    type: ACTIVITY_TYPE.invitedContact,
    action: ACTION.update,
    by: passed?.about,
  });
  expect(await everything()).not.toContain(String(old.id));
  expect(await rowsOf(old.id)).toEqual([0, 0]);
});

test('the erasure of an invited person’s account does not disclose their id', async () => {
  const { old } = await both();
  await transaction(app.deps.sql, (tx) => scheduleDeletion(tx, app.deps, old.id as UserId, ''));
  app.clock.forward(DELETION_GRACE_DAYS * DAY_MS);
  await eraseDueAccounts(app.deps);
  boss = { ...boss, visitor: app.visitor() };
  responseOf(await signIn(boss.visitor, boss.email));
  const [erased] = await log();
  expect(erased).toMatchObject({
    type: ACTIVITY_TYPE.deleteAccount,
    action: ACTION.delete,
    by: 'Former member',
  });
  expect(await everything()).not.toContain(String(old.id));
  expect(await rowsOf(old.id)).toEqual([0, 0]);
});

test('each row of the log has its own stand-in, the same for its actor and its record', async () => {
  const { old } = await both();
  await answerInvitation(old, 0);
  await invited(boss, { email: old.email });
  const { audit } = responseOf<{ audit: Row[] }>(await get('auditlogs?limit=3'));
  const [again, declined, before] = audit;
  expect(declined?.['user_id']).toBe(declined?.['record_id']);
  expect(new Set([again, declined, before].map((row) => row?.['record_id'])).size).toBe(3);
});
