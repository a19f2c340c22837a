import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { moved } from '#server/testing/addresses.ts';
import { invitationCalls, type MemberRow } from '#server/testing/invitation-calls.ts';
import {
  type Boss,
  colleague,
  confirmed,
  founder,
  idOf,
  invited,
  mailedDigest,
  newEmail,
  rolesOf,
} from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
let boss: Boss;
let roles: Record<string, number>;
beforeAll(async () => {
  boss = await founder(app);
  roles = await rolesOf(boss);
});

const { codeOf, invite, lastActivity, read, resend } = invitationCalls(() => ({ app, boss, roles }));

describe('POST /orgusers/resend', () => {
  test('mails a new link for another seven days, and the old link stops working', async () => {
    const { id, email } = await invited(boss);
    const old = await mailedDigest(app, email);
    app.clock.forward(6 * DAY_MS);
    const expires = new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect(responseOf(await resend(id))).toMatchObject({
      user_id: id,
      status: 1,
      invitation_expires: expires,
    });
    expect(await lastActivity()).toMatchObject({
      record_id: await idOf(app, email),
    });
    const fresh = await mailedDigest(app, email);
    expect(await app.mails(email)).toHaveLength(2);
    expect((await read(old)).code).toBe('digest_invalid');
    app.clock.forward(7 * DAY_MS - 1);
    responseOf(await read(fresh));
    app.clock.forward(1);
    expect((await read(fresh)).code).toBe('digest_expired');
    responseOf(await resend(id));
    responseOf(await read(await mailedDigest(app, email)));
  });

  test('works only for unanswered invitations of this organization, by admins who could invite the person', async () => {
    const joined = await colleague(app, boss, 'Admin');
    const { id } = await invited(boss, { role: 'Super Admin' });
    const other = await founder(app, 'Other');
    const foreign = await invited(other);
    const answer = await untouched(app, () => resend(joined.id));
    expect(answer.code).toBe('not_allowed');
    expect(answer.body.error?.details).toBe('This person has joined already.');
    expect(await codeOf(() => resend(id, joined))).toBe('not_allowed');
    expect(await codeOf(() => resend(foreign.id))).toBe('user_not_found');
    expect(await codeOf(() => resend(id, other))).toBe('org_not_found');
  });
});

test('a person who is invited again at their current address gets all further mails there', async () => {
  const person = await confirmed(app);
  await invited(boss, { email: person.email });
  const next = await moved(app, person);
  app.clock.forward(7 * DAY_MS);
  const again = responseOf<MemberRow>(await invite({ email_id: next }));
  expect(again).toMatchObject({ email: next });
  expect((await lastActivity())?.record_id).toBe(person.id);
  expect((await lastActivity())?.information).toMatchObject({ email: [person.email, next] });
  const before = await app.mails(person.email);
  responseOf(await resend(again.user_id));
  expect(await app.mails(person.email)).toEqual(before);
  responseOf(await read(await mailedDigest(app, next)));
});

test('the link is only in the mail, not in answers, rows, the outbox or the log (H3)', async () => {
  const email = newEmail('secret');
  const answers = [await invite({ email_id: email })];
  const { user_id: id } = responseOf<MemberRow>(answers[0] as Answer);
  const jobs = await app.deps.sql.selectFrom('jobs').selectAll().execute();
  const digest = await mailedDigest(app, email);
  responseOf(await read(digest));
  answers.push(await resend(id));
  const later = await mailedDigest(app, email);
  for (const path of ['/api/orgusers', '/api/init'])
    answers.push(await boss.visitor.get(`${path}?org_id=${boss.orgId}`));
  const { sql } = app.deps;
  const rows = [
    jobs,
    await sql.selectFrom('jobs').selectAll().execute(),
    await sql.selectFrom('activity').selectAll().execute(),
    await sql.selectFrom('memberships').selectAll().execute(),
    await sql
      .selectFrom('one_time_tokens')
      .selectAll()
      .where('user_id', '=', await idOf(app, email))
      .execute(),
  ];
  const visible = JSON.stringify([answers.map((answer) => answer.body), rows, app.logLines]);
  expect(visible).toContain(email);
  for (const secret of [digest, later]) expect(visible).not.toContain(secret);
});
