import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { kindsIn } from '#contract/activity/recorded.ts';
import { fieldLabel } from '#contract/activity/words.ts';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { skipDrawing } from './icons.ts';
import { buildWorld, type Row, type World } from './matrix-world.ts';
import { matrix } from './matrix.ts';
import { PASSWORD } from './people.ts';
import { recorded } from './recorded.ts';
import type { Recorded } from './recorded-rows.ts';
import { listRows } from './rows.ts';
import { send } from './send.ts';
import { useApp } from './use-app.ts';
import { responseOf } from './visitor.ts';

// Every change has its row in the log, with old and new values and never a secret (docs/security.md, J1 and
// J4).

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let world: World;
beforeAll(async () => {
  skipDrawing(app);
  world = await buildWorld(app);
});

const entries: Record<string, Record<string, Recorded>> = recorded;
const rows: Record<string, Record<string, Row>> = matrix;
const calls = Object.entries<Record<string, Endpoint>>(api).flatMap(([feature, group]) =>
  Object.entries(group).flatMap(([name, call]) => {
    const entry = entries[feature]?.[name];
    return entry ? [{ feature, name, call, entry }] : [];
  }),
);

const codeName = (codes: Record<string, number>, code: number) =>
  Object.keys(codes).find((name) => codes[name] === code);
const lastId = async () => {
  const last = await app.deps.sql
    .selectFrom('activity')
    .select((row) => row.fn.max('id').as('id'))
    .executeTakeFirst();
  return last?.id ?? 0;
};

async function readyOf({ feature, name, call, entry }: (typeof calls)[number]) {
  if (entry.ready) return entry.ready(app, world);
  const input = await rows[feature]?.[name]?.input(world);
  const { visitor } = await world.join('superAdmin');
  return async () => responseOf(await send(visitor, call, input as Record<string, unknown>));
}

test('every call that changes something has an entry', () => {
  const changing = Object.entries<Record<string, Endpoint>>(api).flatMap(([feature, group]) =>
    Object.entries(group).flatMap(([name, { method }]) => (method === 'GET' ? [] : [`${feature}.${name}`])),
  );
  expect(calls.map(({ feature, name }) => `${feature}.${name}`)).toEqual(changing);
});

test('the filter offers exactly the recorded kinds', () => {
  const offered = (['organization', 'person'] as const).flatMap((log) =>
    kindsIn(log).map(
      ([module, type, action]) =>
        `${codeName(MODULE, module)}.${codeName(ACTIVITY_TYPE, type)}.${codeName(ACTION, action)}`,
    ),
  );
  const expected = calls.flatMap(({ entry }) => (typeof entry.rows === 'string' ? [] : entry.rows));
  // Recorded by a GET or the OpenID provider, by a return from a provider, by a directory, or by a call with other input.
  const otherwise = [
    'recentActivity.auditLog.read',
    'profile.dataExport.create',
    'profile.terms.create',
    'profile.dataExport.read',
    'organization.organizationData.read',
    'signInDevice.signIn.update',
    'organization.invitationAnswer.delete',
    'organization.permission.update',
    'profile.connectedApplication.create',
    'profile.connectedApplication.update',
    ...['create', 'delete'].map((action) => `organization.directoryGroup.${action}`),
    ...['create', 'update', 'delete'].map((action) => `organization.directoryUser.${action}`),
  ];
  expect([...new Set(offered)].toSorted()).toEqual([...new Set([...expected, ...otherwise])].toSorted());
});

describe.each(calls)('$feature $name', (recordedCall) => {
  test('adds its rows to the log, and their fields have labels', async () => {
    const step = await readyOf(recordedCall);
    const before = await lastId();
    await step();
    const rows = await app.deps.sql
      .selectFrom('activity')
      .selectAll()
      .where('id', '>', before)
      .orderBy('id')
      .execute();
    const kinds = rows.map(
      ({ module, activity_type: type, action }) =>
        `${codeName(MODULE, module)}.${codeName(ACTIVITY_TYPE, type)}.${codeName(ACTION, action)}`,
    );
    expect(kinds).toEqual(typeof recordedCall.entry.rows === 'string' ? [] : recordedCall.entry.rows);
    for (const { information } of rows)
      for (const field of Object.keys(information)) expect(fieldLabel(field)).toMatch(/^[A-Z]/);
  });
});

test('the chains are valid, and neither rows nor log lines contain a secret', async () => {
  for await (const broken of brokenChains(app.deps)) expect(broken).toBeUndefined();
  const informations = await listRows(app, 'activity', ['information']);
  const digests = (await app.mails()).flatMap(({ text }) => /digest=([\w-]{43})/.exec(text)?.[1] ?? []);
  const codes = (await app.mails()).flatMap(({ text }) => /is (\d+)\./.exec(text)?.[1] ?? []);
  expect([digests.length > 5, codes.length > 0]).toEqual([true, true]);
  const everything = [...informations.map(({ information }) => JSON.stringify(information)), ...app.logLines];
  const sessions = Object.values(world.visitors).flatMap(({ session }) => session ?? []);
  const secrets = [PASSWORD, '$argon2', ...digests, ...sessions];
  for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  for (const code of codes)
    expect(everything.filter((text) => new RegExp(`"${code}"`).test(text))).toEqual([]);
});
