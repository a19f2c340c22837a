import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { spokenLanguage } from '#words/language.ts';
import { webhookProblemText as text } from '#words/webhook-problem.ts';

/** The words for what the server records in English. Messages of the system stay as they are. */
const problems: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^answered with (\d+)$/, (status) => text.answered({ status })],
  [/^answered with (\d+), a redirect, which is not followed$/, (status) => text.redirected({ status })],
  [/^could not be reached: its address is unknown, private or reserved$/, () => text.notPublic],
  [/^could not be reached: the connection ended$/, () => text.ended],
  [/^could not be reached: no answer within (\d+) seconds$/, (count) => text.late({ count: Number(count) })],
  [/^could not be reached: (.*)$/s, (cause) => text.unreachable({ cause })],
];

/** Why a delivery failed, in the language of the reader. */
export function problemWords(problem: string): string {
  if (spokenLanguage.tag === SOURCE_LANGUAGE) return problem;
  for (const [form, words] of problems) {
    const [whole, value = ''] = form.exec(problem) ?? [];
    if (whole !== undefined) return words(value);
  }
  return problem;
}
