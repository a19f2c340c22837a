import { beforeAll, expect, test } from 'vitest';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { ActName } from '#contract/operator/acts.ts';
import { deskCall } from '#contract/operator/desk.ts';
import { openLocalSocket } from '#server/http/local-socket.ts';
import { answerAct } from '#server/operator/acts/actions.ts';
import { desk, DESK, type Operator } from '#server/testing/desk.ts';
import { confirmed, deactivate, type Person, signedUp } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { listRows } from '#server/testing/rows.ts';
import { askPortal } from './portal.ts';

const app = useApp({ ...lastingSessions, ...DESK, RATE_LIMIT_FACTOR: '100' });
const { atDesk } = desk(app);
type Input = Readonly<Record<string, string>>;
type Told = { readonly lines?: readonly string[]; readonly data?: unknown; readonly refused?: unknown };

let operator: Operator;
beforeAll(async () => {
  operator = await atDesk('full');
  const close = await openLocalSocket(app.deps.config, app.deps.log, (asked) =>
    answerAct(app.deps, { name: asked.operator, level: 'machine' }, asked.name, asked.input),
  );
  return () => close(0);
});

/** An act by a command that opens the database itself, over the socket, and at the desk. */
const ways: Record<string, (name: ActName, input: Input) => Promise<Told | undefined>> = {
  database: (name, input) => answerAct(app.deps, { name: 'root', level: 'machine' }, name, input),
  socket: (name, input) => askPortal(app.deps.config, { name, input, operator: 'root' }),
  desk: async (name, input) => {
    const { method, path } = deskCall(name);
    const { body } = await (method === 'GET'
      ? operator.visitor.get(`${path}?${new URLSearchParams(input).toString()}`)
      : operator.visitor.post(path, input));
    return body.success ? (body.response as Told) : { refused: body.error?.details };
  },
};

const rowsAfter = async (count: number) => {
  const rows = await listRows(
    app,
    'activity',
    ['module', 'activity_type', 'action', 'information'],
    { user_id: OPERATOR_ID },
    'id',
  );
  return rows.slice(count).map(({ information, ...row }) => {
    const { operator: _, from: _from, ...fields } = information;
    return { ...row, fields };
  });
};

const reason = 'She asked by phone';
const until = '2199-01-01';
const closed = async () => {
  const person = await confirmed(app);
  await deactivate(app, person);
  return person;
};
test.for<[name: ActName, input: Input, person?: () => Promise<Person>]>([
  ['end-sessions', { reason }],
  ['restrict', { until, reason }],
  ['restrict', { until: '2020-01-01', reason }],
  ['restrict', { until, reason: '  ' }],
  ['lift', { reason }],
  ['resend', { mail: 'reset', reason }],
  ['resend', { mail: 'confirmation', reason }, () => signedUp(app)],
  ['resend', { mail: 'restore', reason }],
  ['reset-password', { reason }],
  ['restore-account', { reason }, closed],
  ['make-super-admin', { organization: 'nowhere', reason }],
  ['person', {}],
  ['activity', {}],
])(
  '%s %j leaves the same rows, mails and answer by database, socket and desk',
  async ([name, input, person]) => {
    const results = [];
    for (const way of Object.values(ways)) {
      const { id, email } = await (person ?? (() => confirmed(app)))();
      const mailsBefore = (await app.mails(email)).length;
      const { length: rowsBefore } = await rowsAfter(0);
      const told = await way(name, { ...input, person: String(id) });
      const mails = (await app.mails(email)).slice(mailsBefore).map(({ subject }) => subject);
      // Looks leave rows at the desk only.
      const rows = 'reason' in input ? await rowsAfter(rowsBefore) : [];
      const plain = JSON.stringify({ told, mails, rows });
      results.push(
        JSON.parse(plain.replaceAll(email, 'EMAIL').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '0')),
      );
    }
    const [first, ...others] = results;
    expect(others).toEqual([first, first]);
  },
);
