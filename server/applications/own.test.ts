import { beforeEach, describe, expect, test } from 'vitest';
import * as client from 'openid-client';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { APPLICATIONS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import { addressText } from '#words/address.ts';
import type { RoleId } from '#contract/wire.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { authorize, CALLBACK, discover, enter } from '#server/testing/applications.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let org: Company;
let boss: Worker;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
});

type Own = { id: number; client_id: string; name: string; role_ids: number[] } & Record<string, unknown>;
type WithSecret = { application: Own; secret: string | null };

const books = {
  name: 'Books',
  kind: 'web',
  description: 'Our library',
  start_url: 'https://books.example/',
  redirect_urls: [CALLBACK],
  signed_out_urls: ['https://books.example/bye'],
  sign_out_url: 'https://books.example/signed-out',
  is_for_everyone: 1,
  role_ids: [] as number[],
};
const register = (more: object = {}, who = boss) =>
  who.visitor.post('/api/applications', { org_id: org.orgId, ...books, ...more });
const registered = async (more: object = {}) => responseOf<WithSecret>(await register(more));
const change = (id: number, input: object) =>
  boss.visitor.put('/api/applications', { org_id: org.orgId, application_id: id, ...input });
const pause = (id: number, isPaused: 0 | 1) =>
  boss.visitor.put('/api/applications/state', { org_id: org.orgId, application_id: id, is_paused: isPaused });
const rotate = async (id: number) =>
  responseOf<WithSecret>(
    await boss.visitor.post('/api/applications/secret', { org_id: org.orgId, application_id: id }),
  );
const remove = (id: number, name: string) =>
  boss.visitor.delete('/api/applications', { org_id: org.orgId, application_id: id, name });
const list = async () => responseOf<Own[]>(await boss.visitor.get(`/api/applications?org_id=${org.orgId}`));
/** How many sign-outs wait for the application's server. */
const noticesOf = async (id: number) => {
  const jobs = app.deps.sql.selectFrom('jobs').where('lane', '=', `sign-out ${id}`);
  return (await jobs.select('id').execute()).length;
};
const lastAct = async () => (await activityOf(app, org.orgId))[0];
const mailsTo = async ({ email }: Worker) =>
  (await app.mails()).filter(({ to }) => to.address === email).map(({ subject }) => subject);

describe('registering', () => {
  test('answers with the secret once, lists the application, and logs its settings', async () => {
    const { application, secret } = await registered({ is_for_everyone: 0, role_ids: [org.roles.sales] });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(application).toEqual({
      ...books,
      id: application.id,
      client_id: application.client_id,
      icon: null,
      is_for_everyone: 0,
      role_ids: [org.roles.sales],
      has_secret: 1,
      former_secret_ends: null,
      is_paused: 0,
      created_time: app.clock.now().toISOString(),
      last_used_time: null,
    });
    expect(await list()).toEqual([application]);
    expect(JSON.stringify(await list())).not.toContain(secret);
    expect(await lastAct()).toEqual({
      user_id: boss.id,
      activity_type: ACTIVITY_TYPE.ownApplication,
      action: ACTION.create,
      module: MODULE.organization,
      record_id: application.id,
      information: {
        application: 'Books',
        name: [null, 'Books'],
        kind: [null, 'web'],
        description: [null, 'Our library'],
        start_url: [null, 'https://books.example/'],
        redirect_urls: [null, CALLBACK],
        signed_out_urls: [null, 'https://books.example/bye'],
        sign_out_url: [null, 'https://books.example/signed-out'],
        is_for_everyone: [null, false],
        roles: [null, 'Sales'],
      },
    });
  });

  test('mails every Super Admin with a confirmed address, and nobody else', async () => {
    const other = await org.join('superAdmin');
    const unconfirmed = await org.join('superAdmin', { confirmed: false });
    const admin = await org.join('admin');
    await register();
    const subject = 'New application in Northwind: Books';
    expect(await Promise.all([boss, other, unconfirmed, admin].map(mailsTo))).toEqual([
      [subject],
      [subject],
      [],
      [],
    ]);
  });

  test.for(['single-page', 'native'])('gives a %s application no secret', async (kind) => {
    const { application, secret } = await registered({ kind });
    expect([secret, application['has_secret']]).toEqual([null, 0]);
  });

  test.for<[field: string, value: unknown, message: string]>([
    ['redirect_urls', ['http://books.example/'], addressText.scheme],
    ['signed_out_urls', ['https://*.example/'], addressText.wildcard],
    ['sign_out_url', 'https://localhost/out', addressText.publicAddress],
  ])('refuses %s %j', async ([field, value, message]) => {
    const { status, body } = await register({ [field]: value });
    expect([status, body.error?.fields]).toEqual([422, { [field]: message }]);
  });

  test('takes roles of this organization only', async () => {
    const other = await company(app);
    const answer = await register({ is_for_everyone: 0, role_ids: [other.roles.sales] });
    expect([answer.status, answer.code]).toEqual([404, 'role_not_found']);
  });

  test(`ends at ${APPLICATIONS_PER_ORGANIZATION_MAX} applications`, async () => {
    for (let count = 1; count < APPLICATIONS_PER_ORGANIZATION_MAX; count += 1) await org.newApplication();
    const answers = [await register(), await register()];
    expect(answers.map(({ code }) => code)).toEqual([undefined, 'application_limit_reached']);
  });
});

describe('changing', () => {
  test('saves and logs only what differs; fields left out stay', async () => {
    const { application } = await registered();
    const answer = await change(application.id, {
      name: 'Library',
      redirect_urls: [CALLBACK, 'http://localhost/cb'],
    });
    expect(responseOf(answer)).toEqual({
      ...application,
      name: 'Library',
      redirect_urls: [CALLBACK, 'http://localhost/cb'],
    });
    expect(await lastAct()).toMatchObject({
      information: {
        application: 'Library',
        name: ['Books', 'Library'],
        redirect_urls: [CALLBACK, `${CALLBACK}, http://localhost/cb`],
      },
    });
  });

  test('replaces the roles, and drops them once everybody may use it', async () => {
    const { application } = await registered({ is_for_everyone: 0, role_ids: [org.roles.sales] });
    await change(application.id, { role_ids: [org.roles.lead] });
    expect((await lastAct())?.information).toMatchObject({ roles: ['Sales', 'Lead'] });
    await change(application.id, { is_for_everyone: 1 });
    expect((await list())[0]).toMatchObject({ role_ids: [], is_for_everyone: 1 });
  });

  test('refuses a change without a difference, and one that leaves no redirect address', async () => {
    const { application } = await registered();
    expect((await change(application.id, { name: 'Books' })).code).toBe('no_changes');
    expect((await change(application.id, { redirect_urls: [] })).body.error?.fields).toEqual({
      redirect_urls: addressText.noRedirect,
    });
  });

  test('does not find an application of another organization or of the suite', async () => {
    const other = await company(app);
    const foreign = await other.newApplication();
    expect((await change(foreign, { name: 'Mine' })).code).toBe('application_not_found');
    expect((await remove(foreign, 'Sign')).code).toBe('application_not_found');
    expect(await list()).toEqual([]);
  });
});

describe('a new secret', () => {
  const works = async (clientId: string, secret: string | null) => {
    const config = await discover(app, { clientId, secret: secret ?? '' });
    return client.clientCredentialsGrant(config).then(
      () => true,
      () => false,
    );
  };

  test('works beside the former one for a day, and a third ends the first', async () => {
    const { application, secret: first } = await registered({ kind: 'server', redirect_urls: [] });
    const { client_id: clientId, id } = application;
    const { application: rotated, secret: second } = await rotate(id);
    const ends = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
    expect(rotated['former_secret_ends']).toBe(ends);
    expect((await lastAct())?.information).toEqual({ application: 'Books', former_secret_ends: ends });
    app.clock.forward(DAY_MS - MINUTE_MS);
    await app.deps.sql.updateTable('sessions').set({ authenticated_at: app.clock.now() }).execute();
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([true, true]);
    const { secret: third } = await rotate(id);
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([false, true]);
    app.clock.forward(DAY_MS);
    expect([await works(clientId, second), await works(clientId, third)]).toEqual([false, true]);
    const told = (await mailsTo(boss)).filter((subject) => subject === 'New secret for Books');
    expect(told).toHaveLength(2);
  });

  test('is refused for a kind without one', async () => {
    const { application } = await registered({ kind: 'native' });
    const input = { org_id: org.orgId, application_id: application.id };
    expect((await boss.visitor.post('/api/applications/secret', input)).code).toBe('application_not_found');
  });
});

describe('signing in', () => {
  test('works for the chosen roles, notes the last use, and ends while the application is paused', async () => {
    const { application, secret } = await registered({ is_for_everyone: 0, role_ids: [org.roles.sales] });
    const config = await discover(app, { clientId: application.client_id, secret: secret ?? '' });
    const [sales, lead, foreign] = [
      await org.join('sales'),
      await org.join('lead'),
      await (await company(app)).join('sales'),
    ];
    const errorFor = async ({ visitor }: Worker) =>
      new URL((await authorize(visitor, config, { prompt: 'none' })).location).searchParams.get('error');
    await enter(sales.visitor, config);
    // The error of a person from outside leads to a page of ours.
    expect([await errorFor(lead), await errorFor(foreign)]).toEqual(['access_denied', null]);
    expect((await list())[0]?.['last_used_time']).toBe(app.clock.now().toISOString());

    responseOf(await pause(application.id, 1));
    expect(await noticesOf(application.id)).toBe(1);
    expect((await pause(application.id, 1)).code).toBe('no_changes');
    expect((await authorize(sales.visitor, config)).location).not.toContain(CALLBACK);
    expect((await lastAct())?.information).toEqual({ application: 'Books', paused: [false, true] });
    responseOf(await pause(application.id, 0));
    await enter(sales.visitor, config);
  });

  test('ends for a role that is no longer chosen, and notifies the application', async () => {
    const { application, secret } = await registered();
    const config = await discover(app, { clientId: application.client_id, secret: secret ?? '' });
    for (const role of ['sales', 'lead'] as const) await enter((await org.join(role)).visitor, config);
    responseOf(await change(application.id, { is_for_everyone: 0, role_ids: [org.roles.sales] }));
    expect(await noticesOf(application.id)).toBe(1);
  });

  test('ends for a role that is deleted', async () => {
    const roleId = (await org.newRole()) as RoleId;
    const { application } = await registered({ is_for_everyone: 0, role_ids: [roleId] });
    await deleteRows(app, 'roles', { id: roleId });
    expect((await list()).find(({ id }) => id === application.id)).toMatchObject({
      is_for_everyone: 0,
      role_ids: [],
    });
  });
});

describe('removing', () => {
  test('needs the name, ends the tokens, and mails the Super Admins', async () => {
    const { application, secret } = await registered();
    const config = await discover(app, { clientId: application.client_id, secret: secret ?? '' });
    const { access_token: token } = await enter(boss.visitor, config);
    expect((await remove(application.id, 'Book')).code).toBe('changed_meanwhile');
    responseOf(await remove(application.id, 'Books'));
    expect(await list()).toEqual([]);
    expect(await noticesOf(application.id)).toBe(1);
    await expect(client.fetchUserInfo(config, token, client.skipSubjectCheck)).rejects.toMatchObject({
      status: 401,
    });
    expect(await lastAct()).toMatchObject({
      record_id: application.id,
      information: { application: 'Books', name: ['Books', null], redirect_urls: [CALLBACK, null] },
    });
    expect(await mailsTo(boss)).toContain('Application removed from Northwind: Books');
  });
});
