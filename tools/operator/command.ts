import { userInfo } from 'node:os';
import { Refusal } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import type { Config } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import type { ReadingDeps } from '#server/open.ts';
import type { Operator } from '#server/registry/actions.ts';
import { Plain } from './copies.ts';

/** The result of a command: lines for people, data for programs. */
export type Result = {
  readonly lines: readonly string[];
  readonly data: unknown;
  readonly isFailure?: boolean;
};

const one = { type: 'string' } as const;
const several = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
/** Every option, as `parseArgs` takes it. `--json` and `--help` go with each command. */
export const optionTypes = {
  json: flag,
  help: flag,
  since: one,
  until: one,
  action: one,
  person: one,
  organization: one,
  limit: one,
  name: one,
  description: one,
  kind: one,
  'first-party': flag,
  start: one,
  icon: one,
  redirect: several,
  'signed-out': several,
  'logout-tokens': one,
  algorithm: one,
  'public-keys': one,
  api: several,
  par: flag,
  dpop: flag,
  pkce: flag,
  'members-only': flag,
  'members-of': one,
  'at-once': flag,
  event: several,
} as const;
type Value<T> = T extends typeof several ? string[] : T extends typeof one ? string : boolean;
export type Options = {
  readonly [Name in keyof typeof optionTypes]?: Value<(typeof optionTypes)[Name]> | undefined;
};
export type OptionName = keyof typeof optionTypes;

export type Command = {
  readonly takes?: readonly string[];
  readonly accepts?: readonly OptionName[];
  readonly does: string;
  /** `looksUp` changes nothing, `changes` runs with an open installation, `alone` opens and closes it itself. */
  readonly run:
    | { readonly looksUp: Run<ReadingDeps> }
    | { readonly changes: Run<Deps> }
    | { readonly alone: (config: Config, file: string) => Promise<Result> };
};
type Run<Needs> = (deps: Needs, args: readonly string[], options: Options) => Promise<Result>;
/** Commands by name. A name may have two words. */
export type Commands = Readonly<Record<string, Command>>;

export const by: Operator = { name: operatorName() };

function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a user id that has no name.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

export function unlessRefused<T>(result: T): Exclude<T, Refusal> {
  if (!(result instanceof Refusal)) return result as Exclude<T, Refusal>;
  const { detail, name } = result as Refusal;
  const { details = errorText[name] } = detail;
  throw new Plain(typeof details === 'string' ? details : details());
}

/** The only match; otherwise the matches, each in a line. */
export function only<T>(
  matches: readonly T[],
  words: { readonly none: string; readonly several: string; readonly lineOf: (match: T) => string },
): T {
  const [match, ...others] = matches;
  if (match === undefined) throw new Plain(words.none);
  if (others.length === 0) return match;
  throw new Plain([`${matches.length} ${words.several}`, ...matches.map(words.lineOf)].join('\n'));
}

type Told = readonly [lines: string | readonly string[], data?: object];
type Subject<T> = {
  readonly takes: string;
  readonly find: (deps: Deps, words: string) => Promise<T>;
  /** Begins each answer. */
  readonly about: (found: T) => Told;
};
export const commandOn =
  <T>({ takes, find, about }: Subject<T>) =>
  <R>(
    does: string,
    act: (deps: Deps, found: T, options: Options, args: readonly string[]) => Promise<R>,
    tell: (result: Exclude<R, Refusal>) => Told,
    { also = [], accepts = [] }: { also?: readonly string[]; accepts?: readonly OptionName[] } = {},
  ): Command => ({
    takes: [takes, ...also],
    accepts,
    does,
    run: {
      changes: async (deps, [words = '', ...args], options) => {
        const found = await find(deps, words);
        const answers = [about(found), tell(unlessRefused(await act(deps, found, options, args)))];
        return {
          lines: answers.flatMap(([lines]) => lines),
          data: Object.assign({}, ...answers.map(([, data]) => data)) as object,
        };
      },
    },
  });

export const secretLines = (secret: string | null) =>
  secret === null ? [] : [`secret     ${secret}`, 'This is the only time that the secret is shown.'];

export const rotated =
  (name: 'client_secret' | 'secret') =>
  ({ secret, formerEnd }: { readonly secret: string; readonly formerEnd: Date }): Told => [
    [...secretLines(secret), `The former secret ends at ${formerEnd.toISOString()}.`],
    { [name]: secret, former_secret_ends: formerEnd },
  ];

export const listed = <T>(
  items: readonly T[],
  lineOf: (item: T) => string,
  none = 'There is none.',
): Result => ({ lines: items.length > 0 ? items.map(lineOf) : [none], data: items });

/** A value of an option that is a day or a moment. */
export function momentOf(option: OptionName, text: string): Date {
  const moment = new Date(text);
  // A date that does not exist would become one of the next month.
  const isReal = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 10));
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) || !isReal)
    throw new Plain(`--${option} takes a day or a time in UTC, such as 2026-12-24 or 2026-12-24T18:00:00Z.`);
  return moment;
}

export const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ');
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};
