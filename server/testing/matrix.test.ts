import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { kindsIn } from '#contract/activity/recorded.ts';
import { fieldLabel } from '#contract/activity/words.ts';
import { api } from '#contract/api.ts';
import { codeOf, errors } from '#contract/errors.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { skipDrawing } from './icons.ts';
import { type Actor, actors, buildWorld, inputOf, type Row, type World } from './matrix-world.ts';
import { calls, rows } from './matrix.ts';
import { PASSWORD } from './people.ts';
import { listRows } from './rows.ts';
import { send } from './send.ts';
import { fingerprint } from './untouched.ts';
import { useApp } from './use-app.ts';
import { responseOf } from './visitor.ts';

// Every call answers each caller as the matrix says, and every change has its rows in the log, with old and
// new values and never a secret (docs/security.md, J1 and J4).

// This tests permissions, not rate limits.
const app = useApp({ RATE_LIMIT_FACTOR: '100' });
beforeAll(() => skipDrawing(app));

// Rights and the log do not depend on the engine, so beside PostgreSQL one caller makes each call.
const { TEST_ENGINE, TEST_POSTGRES_URL, EVERY_ENGINE } = process.env;
const isBesidePostgres = TEST_ENGINE === 'pglite' && TEST_POSTGRES_URL && !EVERY_ENGINE;
const callers: readonly Actor[] = isBesidePostgres ? ['superAdmin'] : actors;

test('every call has a row, and every row a call (G1)', () => {
  const namesIn = (groups: Record<string, object>) =>
    Object.entries(groups).flatMap(([feature, group]) =>
      Object.keys(group).map((name) => `${feature}.${name}`),
    );
  expect(namesIn(rows).toSorted()).toEqual(namesIn(api).toSorted());
});

const codeName = (codes: Record<string, number>, code: number) =>
  Object.keys(codes).find((name) => codes[name] === code);
const kindName = (module: number, type: number, action: number) =>
  `${codeName(MODULE, module)}.${codeName(ACTIVITY_TYPE, type)}.${codeName(ACTION, action)}`;
const actsOf = ({ log }: Row) => (typeof log === 'object' ? log : []);

test('every row that names rows of the log has a call that adds them', () => {
  const adds = ({ success, writes, refused }: Row) =>
    success || (writes && actors.some((actor) => !refused[actor]));
  const unproven = calls.filter(({ row }) => actsOf(row).length > 0 && !adds(row));
  expect(unproven.map(({ feature, name }) => `${feature}.${name}`)).toEqual([]);
});

test('the filter offers exactly the recorded kinds', () => {
  const offered = (['organization', 'person'] as const).flatMap((log) =>
    kindsIn(log).map((kind) => kindName(...kind)),
  );
  // Recorded by the OpenID provider, by a return from a provider, by a directory, or by a call with other input.
  const otherwise = [
    'profile.dataExport.create',
    'profile.terms.create',
    'profile.dataExport.read',
    'organization.organizationData.read',
    'organization.invitationAnswer.delete',
    'organization.permission.update',
    'profile.connectedApplication.create',
    'profile.connectedApplication.update',
    ...['create', 'delete'].map((action) => `organization.directoryGroup.${action}`),
    ...['create', 'update', 'delete'].map((action) => `organization.directoryUser.${action}`),
  ];
  const recorded = new Set([...calls.flatMap(({ row }) => actsOf(row)), ...otherwise]);
  expect([...new Set(offered)].toSorted()).toEqual([...recorded].toSorted());
});

let lastId = 0;
/** The kinds of the rows that the log has got since the last call of this. */
async function newKinds() {
  const added = await app.deps.sql
    .selectFrom('activity')
    .select(['id', 'module', 'activity_type', 'action', 'information'])
    .where('id', '>', lastId)
    .orderBy('id')
    .execute();
  lastId = added.at(-1)?.id ?? lastId;
  for (const { information } of added)
    for (const field of Object.keys(information)) expect(fieldLabel(field)).toMatch(/^[A-Z]/);
  return added.map(({ module, activity_type: type, action }) => kindName(module, type, action));
}

type Print = Awaited<ReturnType<typeof fingerprint>>;
const isSame = (before: Print, after: Print) => JSON.stringify(before) === JSON.stringify(after);
/** The fingerprint before a call, whose rows in the log begin here. */
async function printBefore() {
  await newKinds();
  return fingerprint(app.deps.sql);
}

let world: World;
let untouched: Print | undefined;
/** Keeps the world of the test before if that one wrote nothing, because building one takes long. */
async function freshWorld() {
  const now = await printBefore();
  if (untouched && isSame(untouched, now)) return now;
  world = await buildWorld(app);
  untouched = await printBefore();
  return untouched;
}

describe.each(calls)('$feature $name', ({ call, row }) => {
  test('answers each caller, writes nothing for a refused one, and adds its rows to the log (G1)', async () => {
    let before = await freshWorld();
    const actual: Record<string, object> = {};
    const expected: Record<string, object> = {};
    for (const actor of callers) {
      const input = inputOf(call, row, world);
      const made = await input;
      // Only an input that waits for the database has changed anything.
      if (input instanceof Promise) before = await printBefore();
      const { status, code } = await send(world.visitors[actor], call, made);
      const after = await fingerprint(app.deps.sql);
      const wrote = !isSame(before, after);
      actual[actor] = { status, code, wrote, log: wrote ? await newKinds() : [] };
      expected[actor] = expectedOf(row, actor, status);
      before = after;
    }
    expect(actual).toEqual(expected);
  });
});

const withSuccess = isBesidePostgres
  ? []
  : calls.flatMap(({ row: { success, ...row }, ...call }) => (success ? [{ ...call, row, success }] : []));
test.each(withSuccess)('a success of $feature $name adds its rows to the log', async ({ row, success }) => {
  await freshWorld();
  const step = await success(app, world);
  await newKinds();
  responseOf(await step());
  expect(await newKinds()).toEqual(actsOf(row));
});

function expectedOf(row: Row, actor: Actor, status: number) {
  const refusal = row.refused[actor];
  if (refusal) return { status: errors[refusal].status, code: codeOf(refusal), wrote: false, log: [] };
  const log = row.writes ? actsOf(row) : [];
  return { status: status === 204 ? 204 : 200, code: undefined, wrote: row.writes, log };
}

test('the chains are valid, and neither rows nor log lines contain a secret', async () => {
  for await (const broken of brokenChains(app.deps)) expect(broken).toBeUndefined();
  const informations = await listRows(app, 'activity', ['information']);
  const mails = (await app.mails()).map(({ text }) => text ?? '');
  const digests = mails.flatMap((text) => /digest=([\w-]{43})/.exec(text)?.[1] ?? []);
  const codes = mails.flatMap((text) => /is (\d+)\./.exec(text)?.[1] ?? []);
  expect([digests.length > 5, codes.length > 0]).toEqual([true, true]);
  const everything = [...informations.map(({ information }) => JSON.stringify(information)), ...app.logLines];
  const sessions = Object.values(world.visitors).flatMap(({ session }) => session ?? []);
  const secrets = [PASSWORD, '$argon2', ...digests, ...sessions];
  for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  for (const code of codes)
    expect(everything.filter((text) => new RegExp(`"${code}"`).test(text))).toEqual([]);
});
