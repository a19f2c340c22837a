import { expect, test } from 'vitest';
import { DAY_MS, fromNow, SECOND_MS } from '#server/clock.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { signInOwnWay } from '#server/testing/company-provider.ts';
import { act, acted, linesOf, outcomeOf } from '#server/testing/operator.ts';
import { confirmed, founder, newEmail, PASSWORD } from '#server/testing/people.ts';
import { getRow, insertRow, updateRows } from '#server/testing/rows.ts';
import { staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1' });

test('a member whom a company’s rule refuses is told as the sign-in tells them', async () => {
  const { orgId } = await founder(app);
  const member = await staff(app, orgId, 'Admin');
  const next = async () => {
    const answer = await act(app.deps, 'person', { person: String(member.id) });
    return 'data' in answer && (answer.data as { next: string[] }).next.join(' → ');
  };
  const [now, later] = [app.clock.now(), new Date(app.clock.now().getTime() + DAY_MS)];
  const rule = (from: Date) =>
    updateRows(app, 'organizations', { id: orgId }, { company_rule: 'everybody', company_rule_from: from });
  await rule(later);
  expect(await next()).toMatch(
    /^password → .+ is entered through the company only from .+ on → the organization$/,
  );
  await rule(now);
  expect(await next()).toMatch(/^password → .+ is entered through the company only$/);
  const domain = { domain: member.email.split('@')[1] ?? '', org_id: orgId, token: 't' };
  await insertRow(app, 'company_domains', { ...domain, proven_at: now, created_at: now });
  expect(await next()).toMatch(/^refused: .+ lets its people sign in through the company only$/);
  expect((await signInOwnWay(app.visitor(), member)).code).toBe('company_sign_in_required');
});

test('support sees how long a browser waits after wrong passwords and from where, and lifting ends it', async () => {
  const { email, id } = await confirmed(app);
  const signIn = (address: string, password: string) =>
    app.visitor().post('/api/signin', { email_id: address, password, timezone: '' });
  const addresses = [email, newEmail('nobody')];
  for (const address of addresses)
    for (let tries = 0; tries < 6; tries += 1) await signIn(address, 'a wrong password 99');
  const until = fromNow(app.clock, SECOND_MS);
  const moment = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');
  const wait = `waits until ${moment(until)} UTC after wrong passwords from 127.0.0.1`;
  const rows = () => app.deps.sql.selectFrom('sign_in_waits').select('network').execute();
  // An address without an account takes the same statements.
  expect(await rows()).toHaveLength(addresses.length);
  for (const [look, input] of [
    ['person', { person: email }],
    ['find', { words: email }],
  ] as const)
    expect((await linesOf(app.deps, look, input)).join()).toContain(wait);

  await updateRows(app, 'users', { id }, { wrong_codes: 3 });
  expect(await acted(app.deps, 'lift', { person: email })).toMatchObject({ lifted: until });
  // The end of a wait refills no guesses of codes.
  expect(await getRow(app, 'users', ['wrong_codes'], { id })).toEqual({ wrong_codes: 3 });
  expect(await outcomeOf(app.deps, 'lift', { person: email })).toBe('no_changes');
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect((await app.mails(email)).map(({ subject }) => subject)).not.toContain('Your account is open again');
  expect((await linesOf(app.deps, 'person', { person: String(id) })).join()).not.toContain('waits until');
  expect(await rows()).toHaveLength(1);
});

test('mails are named by their letter, in English and without names, while they wait, when they failed and once they are sent', async () => {
  const { orgId } = await founder(app);
  const { id, email } = await staff(app, orgId, 'Admin');
  await updateRows(app, 'users', { id }, { language: 'ja' });
  const letters = async () =>
    (await linesOf(app.deps, 'person', { person: String(id) })).flatMap(
      (line) => /, (“.*”, (?:sent|waits|given up)\b)/.exec(line)?.[1] ?? [],
    );
  await acted(app.deps, 'end-sessions', { person: email });
  expect((await letters())[0]).toBe('“You were signed out everywhere”, waits');
  const handlers = { mail: () => Promise.reject(new GiveUp('550 5.1.1 unknown')) };
  await runDueJobs(app.deps, handlers);
  const line = expect.stringMatching(
    `^\\d+  mail “You were signed out everywhere”  .*  550 5.1.1 unknown$`,
  ) as string;
  expect(await linesOf(app.deps, 'jobs')).toContainEqual(line);
  await acted(app.deps, 'retry', { job: 'all' });
  await acted(app.deps, 'make-super-admin', { person: email, organization: String(orgId) });
  await app.mails(email);
  expect(await letters()).toEqual(
    expect.arrayContaining([
      '“You were signed out everywhere”, sent',
      '“Your role in {organization} has changed”, sent',
    ]),
  );
});
