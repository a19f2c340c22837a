import { Refusal } from '#contract/errors.ts';
import type { ActName } from '#contract/operator/acts.ts';
import type { Deps } from '#server/deps.ts';
import { withoutLanguage } from '#server/language.ts';
import { answerAct, runAct } from '#server/operator/acts/actions.ts';

type Input = Readonly<Record<string, unknown>>;
const root = { name: 'root', level: 'machine' } as const;
/** As in the portal, where each text is read in a language that was chosen. */
const inPortal = <T>(code: () => T) =>
  withoutLanguage((text) => {
    throw new Error(`the text "${text}" is read in no language`);
  }, code);

/** An operator at the machine does something; answers with lines and data, or the refusal. */
export const act = (deps: Deps, name: ActName, input: Input = {}) =>
  inPortal(() => runAct(deps, root, name, input));

/** The data of an act that succeeds. */
export async function acted<T = Input>(deps: Deps, name: ActName, input?: Input): Promise<T> {
  const answer = await act(deps, name, input);
  if (answer instanceof Refusal) throw new Error(`${name}: ${answer.name} ${String(answer.detail.details)}`);
  return answer.data as T;
}

/** The name of the refusal of an act, or "done". */
export async function outcomeOf(deps: Deps, name: ActName, input?: Input) {
  const answer = await act(deps, name, input);
  return answer instanceof Refusal ? answer.name : 'done';
}

/** The lines of an answer, or the sentence of its refusal. */
export async function linesOf(deps: Deps, name: string, input: Input = {}): Promise<readonly string[]> {
  const answer = await inPortal(() => answerAct(deps, root, name, input));
  return 'refused' in answer ? [answer.refused] : answer.lines;
}
