import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { actNamed, type ActName, acts } from '#contract/operator/acts.ts';
import { deskActs, deskCall } from '#contract/operator/desk.ts';
import { desk, DESK } from '#server/testing/desk.ts';
import { acted } from '#server/testing/operator.ts';
import { colleague, founder, type Person, twoStepPerson } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { startReceiver } from '#server/testing/webhooks.ts';

const app = useApp({ ...lastingSessions, ...DESK, RATE_LIMIT_FACTOR: '100' });
const { atDesk } = desk(app);

type World = Awaited<ReturnType<typeof makeWorld>>;
type Row = {
  readonly input?: (world: World) => object;
  /** The answer to support, which asks first; without it, the act is not allowed. */
  readonly support?: 'done' | 'no_changes';
  /** A full operator's refusal. */
  readonly full?: string;
};
type OfDesk = {
  [N in ActName]: (typeof acts)[N] extends { readonly level: 'machine' } ? never : N;
}[ActName];

const onPerson = ({ person }: World) => ({ person: String(person.id) });
const onApplication = { input: () => ({ application: 'Sign' }) };
const onWebhook = { input: ({ receiver }: World) => ({ webhook: receiver.url }) };
/** Every act of the desk. One without a row does not compile. */
const matrix: Record<OfDesk, Row> = {
  status: { support: 'done' },
  find: { input: ({ person }) => ({ words: person.email }), support: 'done' },
  activity: { input: onPerson, support: 'done' },
  person: { input: onPerson, support: 'done' },
  'end-sessions': { input: onPerson, support: 'done' },
  restrict: { input: onPerson, support: 'done' },
  // Support does not lift what an operator closed.
  lift: { input: onPerson },
  resend: { input: (world) => ({ ...onPerson(world), mail: 'reset' }), support: 'done' },
  'reset-second-steps': { input: onPerson, support: 'done', full: 'no_changes' },
  'reset-password': { input: onPerson, support: 'done' },
  'restore-account': { input: onPerson, full: 'no_changes' },
  'make-super-admin': {
    input: ({ member, boss }) => ({ person: String(member.id), organization: boss.urlName }),
  },
  log: {},
  jobs: {},
  'mails test': { input: () => ({ to: 'ann@northwind.example' }) },
  retry: { input: () => ({ job: 'all' }), full: 'not_found' },
  'applications add': { input: () => ({ name: 'Sign', redirect: ['https://sign.example/callback'] }) },
  'applications list': {},
  'applications show': onApplication,
  'applications edit': { input: () => ({ application: 'Sign', description: 'Contracts' }) },
  'applications rotate-secret': onApplication,
  'applications pause': onApplication,
  'applications resume': onApplication,
  'applications remove': onApplication,
  'webhooks add': { input: ({ receiver }) => ({ url: `${receiver.url}/second` }) },
  'webhooks list': {},
  'webhooks test': onWebhook,
  'webhooks rotate-secret': onWebhook,
  'webhooks pause': onWebhook,
  'webhooks resume': onWebhook,
  'webhooks remove': onWebhook,
  'keys list': {},
  'keys rotate': {},
  'operators list': {},
  requests: { support: 'done' },
};

async function makeWorld() {
  const boss = await founder(app);
  const [member, person, restricted] = [
    await colleague(app, boss),
    await twoStepPerson(app),
    await atDesk('full'),
  ];
  await acted(app.deps, 'restrict', { person: String(restricted.id) });
  const outsiders = { stranger: { visitor: app.visitor() }, member, boss, person, restricted };
  const receiver = await startReceiver();
  await acted(app.deps, 'webhooks add', { url: receiver.url });
  return {
    boss,
    member,
    person,
    outsiders,
    receiver,
    support: await atDesk('support'),
    full: await atDesk('full'),
  };
}
let world: World;
beforeAll(async () => {
  world = await makeWorld();
  return () => world.receiver.close();
}, 60_000);

const reason = 'She asked by phone';
async function ask({ visitor }: Pick<Person, 'visitor'>, name: ActName, input: object) {
  const { method, path, output } = deskCall(name);
  const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]));
  const answer = await (method === 'GET'
    ? visitor.get(`${path}?${query.toString()}`)
    : visitor.post(path, { ...input, reason }));
  // Throws at an answer that the contract does not describe.
  if (answer.body.success) z.decode(output, answer.body.response as never);
  return answer.code ?? 'done';
}

test('acts by callers: everybody but operators finds none, and support has its own (O1, O5)', async () => {
  expect(Object.keys(matrix)).toEqual(deskActs);
  for (const name of deskActs) {
    const { input = () => ({}), support = 'not_allowed', full = 'done' } = matrix[name as OfDesk];
    for (const [who, caller] of Object.entries(world.outsiders))
      expect([name, who, await ask(caller, name, input(world))]).toEqual([name, who, 'not_found']);
    const outcomes = [
      await ask(world.support, name, input(world)),
      await ask(world.full, name, input(world)),
    ];
    expect([name, ...outcomes]).toEqual([name, support, full]);
  }
});

test('nobody changes their own account, and all may look at it (O5)', async () => {
  const self = { person: String(world.full.id) };
  for (const name of deskActs.filter((one) => actNamed(one).on === 'person')) {
    const input = { ...matrix[name as OfDesk].input?.(world), ...self };
    const outcome = actNamed(name).row ? 'not_allowed' : 'done';
    expect([name, await ask(world.full, name, input)]).toEqual([name, outcome]);
  }
});

test('the desk has no call for an act of the machine (O5)', async () => {
  const ofMachine = (Object.keys(acts) as ActName[]).filter((name) => !deskActs.includes(name));
  for (const name of ofMachine) expect([name, await ask(world.full, name, {})]).toEqual([name, 'not_found']);
});
