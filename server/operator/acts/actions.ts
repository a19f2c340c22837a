import * as z from 'zod/mini';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { ActIn } from '#contract/activity/recorded.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { type Act, inputOf, type Level, wordsOf } from '#contract/operator/act.ts';
import { actNamed, type ActName, isActName } from '#contract/operator/acts.ts';
import type { UserId } from '#contract/wire.ts';
import { errorText } from '#words/error.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { inEnglish } from '#server/language.ts';
import type { ReadingDeps } from '#server/open.ts';
import { after, before, changeNamed, lookNamed, onceDone } from './handlers.ts';
import { no, problemOf, textOf } from '#server/operator/lines.ts';
import { subjectNamed } from '#server/operator/subjects.ts';
import type { Shown } from '#server/operator/work.ts';

/** The operator: the name for the log, and what they may do. */
export type Operator = {
  readonly name: string;
  readonly level: Level;
  /** The address of somebody at the desk. */
  readonly from?: string;
  /** Whether they may act on the subject now, asked in the act's transaction; the machine always may. */
  readonly admit?: (tx: Tx, on: unknown) => Promise<Refusal | undefined>;
};
type Input = Readonly<Record<string, unknown>>;

const ranks: readonly Level[] = ['support', 'full', 'machine'];
export const mayRun = (level: Level, act: Act) => ranks.indexOf(level) >= ranks.indexOf(act.level);

/**
 * Runs an act: checks name, level and input, finds its subject, and runs the handler. A change runs in one transaction
 * with its row of the log and its mails.
 */
export async function runAct(
  deps: ReadingDeps | Deps,
  operator: Operator,
  name: string,
  given: Input,
): Promise<Shown | Refusal> {
  return inEnglish(async () => {
    const ready = await prepare(deps, operator, name, given);
    if (ready instanceof Refusal) return ready;
    const { act, name: known, input, on } = ready;
    const subject = act.on && subjectNamed(act.on);
    const look = lookNamed(known);
    if (look) {
      const { admit } = operator;
      const refusal = admit && (await transaction((deps as Deps).sql, (tx) => admit(tx, on)));
      return refusal ?? look(deps, input as never, on as never);
    }
    const output = await change(deps as Deps, operator, { name: known, input, on });
    if (output instanceof Refusal) return output;
    await onceDone[known]?.(deps as Deps, on as never);
    const late = after[known];
    if (late) return late(deps as Deps, input as never, on as never);
    const { lines, data } = subject?.about(on) ?? { lines: [], data: {} };
    const fields = Object.fromEntries(Object.keys(act.output ?? {}).map((field) => [field, output[field]]));
    return { lines: [...lines, ...doneLines(act, fields)], data: { ...data, ...fields } };
  });
}

/** An act that may run: known, of the operator's level, with an input that it takes and a subject that exists. */
export async function prepare(deps: ReadingDeps | Deps, { level }: Operator, name: string, given: Input) {
  if (!isActName(name)) return no('not_found', `There is no act "${name}".`);
  const act = actNamed(name);
  if (!mayRun(level, act)) return refuse('not_allowed');
  const input = parse(act, given);
  if (input instanceof Refusal) return input;
  const on = act.on && (await subjectNamed(act.on).find(deps, String(input[act.on])));
  return on instanceof Refusal ? on : { name, act, input, on };
}

function parse(act: Act, given: Input): Input | Refusal {
  const result = z.safeParse(inputOf(act), given);
  if (result.success) return result.data;
  const words = wordsOf(act);
  const lines = result.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `It takes no ${issue.keys.join(', ')}.`
      : problemOf(issue, given, (name) => (name in words ? '' : `--${name}`)),
  );
  return no('invalid_input', lines.join('\n'));
}

const NO_CHANGES = 'It is so already: nothing would change.';
type Ready = { readonly name: ActName; readonly input: Input; readonly on: unknown };

async function change(deps: Deps, operator: Operator, { name, input, on }: Ready) {
  const prepared = await before[name]?.(deps, input as never, on as never);
  if (prepared instanceof Refusal) return prepared;
  const ready = { name, on, input: { ...input, ...prepared } };
  return transaction(deps.sql, (tx) => changeIn(tx, deps, operator, ready));
}

/** The refusal that a change would get now. It is tried, and nothing of it stays. */
export async function refusalOf(deps: Deps, operator: Operator, ready: Ready): Promise<Refusal | undefined> {
  const done = refuse('not_found');
  const result = await transaction(deps.sql, async (tx) => {
    const output = await changeIn(tx, deps, operator, ready);
    return output instanceof Refusal ? output : done;
  });
  return result === done ? undefined : result;
}

async function changeIn(tx: Tx, deps: Deps, operator: Operator, { name, input, on }: Ready) {
  const refusal = await operator.admit?.(tx, on);
  if (refusal) return refusal;
  const reason = input['reason'] as string | undefined;
  const record = (recordId: number | undefined, fields: Input) => {
    const { from } = operator;
    const about: Input = { ...(reason !== undefined && { reason }), ...(from !== undefined && { from }) };
    return recordActivity(tx, deps, actNamed(name).row as ActIn<'operator'>, {
      userId: OPERATOR_ID as UserId,
      recordId,
      information: { ...fields, ...about, act: name, operator: operator.name },
    });
  };
  const work = { tx, deps, on, by: operator.name, reason, record };
  const output = (await changeNamed(name)(work as never, input as never)) as Input | Refusal;
  const isSame = output instanceof Refusal && output.name === 'no_changes';
  return isSame && output.detail.details === undefined ? no('no_changes', NO_CHANGES) : output;
}

/** An act for a program: its answer, or the sentence why not. */
export async function answerAct(
  ...run: Parameters<typeof runAct>
): Promise<Shown | { readonly refused: string }> {
  const result = await runAct(...run);
  if (!(result instanceof Refusal)) return result;
  return inEnglish(() => {
    const { details = errorText[result.name] } = result.detail;
    return { refused: typeof details === 'string' ? details : details() };
  });
}
export type Answer = Awaited<ReturnType<typeof answerAct>>;

/** The sentences of a success. */
function doneLines({ done = '' }: Act, output: Input): readonly string[] {
  if (typeof done === 'string')
    return [done.replace(/\{(\w+)\}/g, (_, field: string) => textOf(output[field]))];
  const lines = done(output);
  return typeof lines === 'string' ? [lines] : lines;
}
