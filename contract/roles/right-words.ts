import { nameList } from '#contract/list-words.ts';
import { type Right, rights, services } from './permissions.ts';
import { rolesText as text } from '#words/roles.ts';

const NAMED_MAX = 3;

export function rightWords(keys: Iterable<string>): string {
  const remaining = new Set(keys);
  const firstWords = Object.entries(services).flatMap(([service, { modules }]) =>
    Object.entries(modules).flatMap(([module, label]) =>
      rights
        .filter((right: Right) => remaining.delete(`${service}.${module}.${right}`))
        .map((right) => text.cell({ right: text.rights[right], module: label })),
    ),
  );
  const words = [...firstWords, ...remaining];
  const more = words.length - NAMED_MAX;
  const first = nameList(words.slice(0, NAMED_MAX));
  return more > 0 ? text.andMore({ first, more }) : first;
}
