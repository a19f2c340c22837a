// For translators: `npm run words` checks the catalogs of languages/, `npm run words -- status it` lists what one lacks.
import path from 'node:path';
import { leftIn, problemsIn } from './words/check.ts';
import { isDraft, readCatalogs } from './words/messages.ts';
import { sourcesOf, unusedIn } from './words/unused.ts';

const root = path.join(import.meta.dirname, '..');
const catalogs = readCatalogs(`${root}/languages`);
const [english] = catalogs;
if (!english) throw new Error('languages/ has no catalog');
const [command = 'check', language] = process.argv.slice(2);

if (command === 'check') {
  const unused = unusedIn(english.texts.keys(), sourcesOf(root));
  fail([
    ...problemsIn(catalogs),
    ...unused.map((key) => `languages/en.arb: no code reads "${key}". Remove it.`),
  ]);
} else if (command === 'status') {
  const chosen = catalogs.filter((catalog) => [undefined, catalog.language].includes(language));
  if (chosen.length === 0)
    fail([`There is no languages/${language}.arb. docs/languages.md says how to begin one.`]);
  for (const catalog of chosen) {
    const left = leftIn(catalog, english);
    const done = english.texts.size - left.missing.length - left.same.length;
    console.log(
      `${catalog.language} (${isDraft(catalog) ? 'draft' : 'reviewed'}): ${done} of ${english.texts.size} texts`,
    );
    if (language === undefined) continue;
    for (const key of left.missing) console.log(`missing  ${key}: ${english.texts.get(key)}`);
    for (const key of left.same) console.log(`English  ${key}: ${english.texts.get(key)}`);
  }
} else fail(['Commands are "check" and "status", which may name a language: status it']);

function fail(problems: readonly string[]) {
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
