import { personName } from '#contract/profile/person-name.ts';
import { optionsOf } from '#contract/operator/act.ts';
import { actNamed, type ActName } from '#contract/operator/acts.ts';
import type { FoundPerson } from '#server/operator/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { listed, no, textOf } from '#server/operator/lines.ts';
import {
  type DeskLevel,
  listOperators,
  listProofs,
  listRequests,
  nameOperator,
  removeOperator,
} from './data.ts';
import { type DeskEvent, deskMail } from './mail.ts';
import type { Changes, Looks } from '#server/operator/work.ts';

type Person = Pick<FoundPerson, 'id' | 'first_name' | 'last_name' | 'email'>;
export const operatorName = ({ id, first_name: first, last_name: last, email }: Person) =>
  `${personName(first, last, email)} (${id})`;

/** Mails operators, each in their own language: all of them, or those of one level. */
export async function tellOperators(tx: Tx, deps: Deps, event: DeskEvent, who: string, level?: DeskLevel) {
  for (const { id, email: to } of await listOperators(tx, level))
    if (to !== null) await queueMail(tx, deps, { userId: id, to, content: deskMail(event, who) });
}

export const operatorChanges = {
  'operators add': async ({ tx, deps, on, record }, { level }) => {
    if (!on.confirmed_at) return no('account_not_confirmed', 'They have to confirm their address first.');
    const ways = (await listProofs(tx, on.id)).map(({ way }) => way);
    if (!ways.includes('passkey') && (level === 'full' || ways.length === 0))
      return no(
        'not_allowed',
        level === 'full'
          ? 'They need a passkey first.'
          : 'They need a passkey or an authenticator app first.',
      );
    const former = await nameOperator(tx, { userId: on.id, level, now: deps.clock.now() });
    await record(on.id, { level: [former, level] });
    await tellOperators(tx, deps, 'named', operatorName(on));
    return { level };
  },
  'operators remove': async ({ tx, deps, on, record }) => {
    // Told first, so that the person who leaves gets the mail, too.
    await tellOperators(tx, deps, 'removed', operatorName(on));
    const former = await removeOperator(tx, on.id);
    if (!former) return no('not_found', 'They do not work at the desk.');
    await record(on.id, { level: [former.level, null] });
    return {};
  },
} satisfies Partial<Changes>;

export const shownRequest = (row: Awaited<ReturnType<typeof listRequests>>[number]) => ({
  id: row.id,
  act: row.act,
  person:
    row.person_id &&
    operatorName({
      id: row.person_id,
      first_name: row.person_first_name ?? '',
      last_name: row.person_last_name ?? '',
      email: row.person_email,
    }),
  asked_by: operatorName({ ...row, id: row.asked_by }),
  asked_by_id: row.asked_by,
  asked_at: row.asked_at.toISOString(),
  due_at: row.due_at?.toISOString() ?? null,
  input: row.input,
});
/** The changes that a request asks for. Its subject and reason stand beside them. */
function changesOf({ act, input }: Pick<ReturnType<typeof shownRequest>, 'act' | 'input'>) {
  const row = actNamed(act as ActName);
  const valueOf = (name: string, kind: string) =>
    kind === 'file' && input[name] !== '' ? 'a new file' : textOf(input[name]) || '(none)';
  return Object.entries({ ...row.takes, ...optionsOf(row) })
    .filter(([name]) => name in input && name !== 'reason')
    .map(([name, { kind }]) => `${name}: ${valueOf(name, kind)}`);
}
export const requestLine = (request: ReturnType<typeof shownRequest>) =>
  [
    `${request.act} ${request.person ?? textOf(request.input['application'])}`.trim(),
    ...changesOf(request),
    `asked by ${request.asked_by} at ${request.asked_at}`,
    ...(request.due_at === null ? [] : [`happens at ${request.due_at}`]),
    textOf(request.input['reason']),
  ].join(', ');

export const operatorLooks = {
  requests: async ({ sql, clock }) =>
    listed(
      (await listRequests(sql, clock.now())).map(shownRequest),
      requestLine,
      'Nothing waits for a second operator.',
    ),
  'operators list': async ({ sql }) =>
    listed(
      await listOperators(sql),
      ({ level, named_at: at, ...person }) => `${operatorName(person)}  ${level}, since ${at.toISOString()}`,
      'Nobody works at the desk.',
    ),
} satisfies Partial<Looks>;
