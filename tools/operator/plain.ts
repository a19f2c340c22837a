import type { Answer } from '#server/operator/acts/actions.ts';
import type { Shown } from '#server/operator/work.ts';

/** An error that the operator can fix; its message is shown as it is. */
export class Plain extends Error {}

/** Throws the sentence of a refusal. */
export function told(answer: Answer): Shown {
  if ('refused' in answer) throw new Plain(answer.refused);
  return answer;
}
