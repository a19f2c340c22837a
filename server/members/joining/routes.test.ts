import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION } from '#contract/activity/calls.ts';
import { fieldText } from '#words/field.ts';
import type { RoleId, UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import { placesTaken } from '#server/testing/budgets.ts';
import {
  type Boss,
  colleague,
  confirmed,
  customRole,
  founder,
  invited,
  mailedDigest,
  PASSWORD,
  type Person,
  rolesOf,
  signedUp,
} from '#server/testing/people.ts';
import { getRow, listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
let boss: Boss;
beforeAll(async () => {
  boss = await founder(app);
});

const openLink = (digest: string, visitor: Visitor = app.visitor()) =>
  visitor.get(`/api/invitation?digest=${digest}`);
const invitationsOf = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf<{ id: number; OrgName: string; expires: string }[]>(await visitor.get('/api/invitations'));
const answer = ({ visitor }: Pick<Person, 'visitor'>, body: object) => visitor.post('/api/invitation', body);
const memberships = (userId: number) =>
  listRows(
    app,
    'memberships',
    ['org_id', 'status', 'is_default', 'invitation_expires_at'],
    { user_id: userId },
    'id',
  );
const answersOf = (userId: number) => {
  const rows = app.deps.sql.selectFrom('activity').selectAll().where('activity_type', '=', 15);
  return rows.where('user_id', '=', userId as UserId).execute();
};

/** A person with an account who is invited by the boss, and the digest of their mail. */
async function invitee(by = boss, role = 'Admin') {
  const person = await confirmed(app);
  const { id: shownId } = await invited(by, { role, email: person.email });
  return { ...person, shownId, digest: await mailedDigest(app, person.email) };
}

const codeOf = async (call: () => Promise<Answer>) => (await untouched(app, call)).code;
const detailsOf = ({ body }: Answer) => body.error?.details;

describe('GET /invitation', () => {
  test('shows the invitation, and the next step for its reader', async () => {
    const person = await invitee();
    const about = { organization: 'Northwind Traders', role: 'Admin', invited_by: 'Maya Lindqvist' };
    const masked = `${person.email[0]}•••@northwind.example`;
    expect(responseOf(await openLink(person.digest))).toEqual({ ...about, email: masked, state: 'sign_in' });
    expect(responseOf(await openLink(person.digest, boss.visitor))).toEqual({
      ...about,
      email: masked,
      state: 'other_account',
    });
    expect(responseOf(await openLink(person.digest, person.visitor))).toEqual({
      ...about,
      email: person.email,
      state: 'open',
    });
    const { email } = await invited(boss);
    const digest = await mailedDigest(app, email);
    expect(responseOf(await openLink(digest))).toMatchObject({
      state: 'create_password',
      email: 't•••@northwind.example',
    });
    expect(responseOf(await openLink(digest, person.visitor))).toMatchObject({ state: 'other_account' });
  });
});

describe('POST /invitation', () => {
  test('a person who joins by link is an active member with a default organization and a log row', async () => {
    const person = await invitee();
    const taken = await placesTaken(app, 'invitationMailsHour');
    expect(responseOf(await answer(person, { digest: person.digest, accept: 1 }))).toEqual({
      OrgUrlName: 'northwind-traders',
    });
    await expect.poll(() => placesTaken(app, 'invitationMailsHour')).toBe(taken - 1);
    expect(await memberships(person.id)).toEqual([
      { org_id: boss.orgId, status: 2, is_default: true, invitation_expires_at: null },
    ]);
    expect(responseOf(await person.visitor.get('/api/init'))).toMatchObject({
      default_organizations: { Id: boss.orgId, role: 'Admin', isDefault: 1 },
    });
    expect(await answersOf(person.id)).toMatchObject([
      {
        org_id: boss.orgId,
        record_id: person.id,
        information: { status: [1, 2], role: 'Admin' },
      },
    ]);
    const late = await untouched(app, () => answer(person, { digest: person.digest, accept: 1 }));
    expect(late.code).toBe('digest_invalid');
    expect(detailsOf(late)).toMatch(/no longer available/);
  });

  test('a further organization joined by id is not the default, and its invitation is no longer pending', async () => {
    const person = await founder(app, 'Own');
    await invited(boss, { email: person.email });
    const [invitation] = await invitationsOf(person);
    expect(invitation).toEqual({
      id: invitation?.id,
      OrgName: 'Northwind Traders',
      role: 'Admin',
      invited_by: 'Maya Lindqvist',
      expires: new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString(),
    });
    responseOf(await answer(person, { id: invitation?.id, accept: 1 }));
    expect((await memberships(person.id)).map((row) => row.is_default)).toEqual([true, false]);
    expect(await invitationsOf(person)).toEqual([]);
    const late = await untouched(app, () => answer(person, { id: invitation?.id, accept: 1 }));
    expect(late.code).toBe('not_found');
    expect(detailsOf(late)).toMatch(/answered/);
  });

  test('a decline deletes the membership, tells the inviter, and frees the seat', async () => {
    const person = await invitee();
    expect(responseOf(await answer(person, { digest: person.digest, accept: 0 }))).toEqual({});
    expect(await memberships(person.id)).toEqual([]);
    const mail = (await app.mails(boss.email)).at(-1);
    expect(mail?.subject).toBe('An invitation to Northwind Traders was declined');
    expect(mail?.text).toContain('Tom Berg has declined');
    expect(await answersOf(person.id)).toMatchObject([
      { org_id: boss.orgId, action: ACTION.delete, record_id: person.id, information: { status: [1, null] } },
    ]);
    expect((await openLink(person.digest)).code).toBe('digest_invalid');
    await invited(boss, { email: person.email });
    expect(await invitationsOf(person)).toHaveLength(1);
  });

  test('only the invited account can answer, by link or by id; other attempts leave the invitation (H1)', async () => {
    const person = await invitee();
    const [other] = [await confirmed(app)];
    const [{ id } = { id: 0 }] = await invitationsOf(person);
    const late = await untouched(app, () => answer(other, { digest: person.digest, accept: 1 }));
    expect(late.code).toBe('not_allowed');
    expect(detailsOf(late)).toMatch(/another address/);
    expect(await codeOf(() => answer(boss, { id, accept: 0 }))).toBe('not_found');
    expect(await codeOf(() => answer(other, { id: 999_999, accept: 1 }))).toBe('not_found');
    expect(await codeOf(() => answer({ visitor: app.visitor() }, { digest: person.digest, accept: 1 }))).toBe(
      'not_signed_in',
    );
    responseOf(await answer(person, { digest: person.digest, accept: 1 }));
  });

  test('a person without a confirmed address neither sees nor answers it', async () => {
    const person = await signedUp(app);
    await invited(boss, { email: person.email });
    const digest = await mailedDigest(app, person.email);
    expect(await invitationsOf(person)).toEqual([]);
    expect(await codeOf(() => answer(person, { digest, accept: 1 }))).toBe('account_not_confirmed');
    const { id } = await getRow(app, 'memberships', ['id'], { user_id: person.id });
    expect(await codeOf(() => answer(person, { id, accept: 0 }))).toBe('account_not_confirmed');
  });

  test.each([[{ accept: 1 }], [{ accept: 1, digest: 'x', id: 1 }]])(
    '%o is refused, because exactly one of digest and id is needed',
    async (body) => {
      const refused = await answer(boss, body);
      expect([refused.status, refused.body.error?.fields]).toEqual([422, { digest: fieldText.required }]);
    },
  );
});

describe('an invitation is no longer valid (H4)', () => {
  /** The answers to reading it, answering by its link, listing it and answering by its id. */
  const answersTo = async (person: Person & { digest: string }, id: number) => [
    await codeOf(() => openLink(person.digest)),
    await codeOf(() => answer(person, { digest: person.digest, accept: 1 })),
    await invitationsOf(person),
    await codeOf(() => answer(person, { id, accept: 1 })),
  ];
  const idOf = async (person: Person) => (await invitationsOf(person))[0]?.id ?? 0;

  test('after seven days, by the clock', async () => {
    const person = await invitee();
    const id = await idOf(person);
    app.clock.forward(7 * DAY_MS - 1);
    responseOf(await openLink(person.digest));
    app.clock.forward(1);
    expect(await answersTo(person, id)).toEqual(['digest_expired', 'digest_expired', [], 'digest_expired']);
  });

  test('once it is withdrawn', async () => {
    const person = await invitee();
    const id = await idOf(person);
    responseOf(await boss.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    responseOf(
      await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: person.shownId }),
    );
    expect(await answersTo(person, id)).toEqual(['digest_invalid', 'digest_invalid', [], 'not_found']);
  });

  test.each(['demoted', 'paused', 'disabled', 'removed'] as const)('once its inviter is %s', async (end) => {
    const admin = await colleague(app, boss, 'Admin');
    const person = await invitee(admin);
    const id = await idOf(person);
    const { sql } = app.deps;
    const adminRow = sql.updateTable('memberships').where('user_id', '=', admin.id as UserId);
    if (end === 'removed') {
      responseOf(await boss.visitor.post('/api/reauthenticate', { password: PASSWORD }));
      responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: admin.id }));
    } else if (end === 'demoted')
      await adminRow.set({ role_id: (await customRole(app, boss.orgId, 'Plain')) as RoleId }).execute();
    else await adminRow.set({ status: end === 'paused' ? 3 : 4 }).execute();
    expect(await answersTo(person, id)).toEqual(['digest_invalid', 'digest_invalid', [], 'digest_invalid']);
  });

  test('once its role is raised above its inviter’s, unless the admin who raised it becomes the inviter', async () => {
    const admin = await colleague(app, boss, 'Admin');
    const person = await invitee(admin);
    const { sql } = app.deps;
    const superAdmin = (await rolesOf(boss))['Super Admin'];
    await sql
      .updateTable('memberships')
      .set({ role_id: superAdmin as RoleId })
      .where('user_id', '=', person.id as UserId)
      .execute();
    expect(await codeOf(() => answer(person, { digest: person.digest, accept: 1 }))).toBe('digest_invalid');
    const other = await invitee(admin);
    responseOf(
      await boss.visitor.put('/api/orgusers', {
        org_id: boss.orgId,
        user_id: other.shownId,
        first_name: 'Tom',
        role_id: superAdmin,
      }),
    );
    expect(responseOf(await openLink(other.digest))).toMatchObject({
      role: 'Super Admin',
      invited_by: 'Maya Lindqvist',
    });
    responseOf(await answer(other, { digest: other.digest, accept: 1 }));
  });
});
