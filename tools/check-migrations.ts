// Finds statements of a migration that break older processes beside it, or block everyone (docs/migrations.md).
import { neededBy } from '#server/db/migrate.ts';

/** Removals that may break older processes. They are allowed if the file names a migration it needs. */
const removals: Record<string, RegExp> = {
  'drops what older processes may use': /\bdrop (table|column|view|function|type|sequence|schema|domain)\b/,
  'renames what older processes may use': /\brename\b/,
  'asks for a value that older processes may not write': /\bset not null\b|\bdrop default\b/,
  'refuses rows that older processes may write': /^create unique index\b|\badd (constraint \w+ )?unique\b/,
};

/** Statements that lock a full table for long. They are never allowed on an existing table. */
const longLocks: Record<string, RegExp> = {
  'makes an index on a full table (`if not exists`, so that it can be made before)':
    /^create (unique )?index (?!if not exists\b)/,
  'makes a column anew': /\balter (column )?\w+ (set data )?type\b/,
  'computes a column row by row': /\bgenerated always as\b(?! identity)/,
  'reads every row for a rule (`not valid`)':
    /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
  'writes rows (a job does that)': /^(update|delete|insert|truncate|with)\b/,
  'keeps everybody out': /^(lock|cluster|vacuum|reindex)\b/,
};

const addedColumns = /\badd column (?:if not exists )?\w+ ((?:[^,()]|\([^()]*\))*)/g;

/** Older processes do not name it, and a computed default rewrites each row. */
function columnProblems(statement: string): string[] {
  return [...statement.matchAll(addedColumns)].flatMap(([, column = '']) => {
    const fallback = /\bdefault (.+?)(?= not null\b| constraint\b| check\b| references\b|$)/.exec(
      column,
    )?.[1];
    const isConstant = /^(''(::\w+)?|-?\d+|true|false|null|now\(\))$/.test(fallback?.trim() ?? 'null');
    return [
      ...(/\bnot null\b/.test(column) && fallback === undefined
        ? ['adds a column that must have a value, without a default']
        : []),
      ...(isConstant ? [] : ['adds a column whose default is computed']),
      ...(/\b(primary key|unique)\b/.test(column) ? ['refuses rows that older processes may write'] : []),
      ...(/\bcheck\b|\breferences\b/.test(column) && fallback !== undefined
        ? ['reads every row for a rule (`not valid`)']
        : []),
    ];
  });
}

/** In lower case, one line each, without function bodies, comments and string contents. */
const statementsOf = (text: string) =>
  text
    .replace(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

const madeTables = (statements: readonly string[]) =>
  new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []));
const changedTable = (statement: string) =>
  /^alter table (?:if exists )?(?:only )?(\w+)/.exec(statement)?.[1] ??
  /^create (?:unique )?index .*?\bon (?:only )?(\w+)/.exec(statement)?.[1] ??
  /^(?:update|delete from|insert into|truncate(?: table)?|lock(?: table)?) (\w+)/.exec(statement)?.[1];

export function migrationProblems(name: string, text: string): string[] {
  const needs = neededBy(text);
  const statements = statementsOf(text);
  const own = madeTables(statements);
  const problems = statements
    .filter((statement) => !own.has(changedTable(statement) ?? ''))
    .flatMap((statement) =>
      [
        ...(needs ? [] : matching(removals, statement)),
        ...matching(longLocks, statement),
        ...columnProblems(statement),
      ].map((problem) => `${problem}: ${statement.slice(0, 80)}`),
    );
  if (needs && needs >= name.slice(0, 4)) problems.push(`needs ${needs}, which is no earlier migration`);
  return problems;
}

const matching = (rules: Record<string, RegExp>, statement: string) =>
  Object.keys(rules).filter((rule) => rules[rule]?.test(statement));
