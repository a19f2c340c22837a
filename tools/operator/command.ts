// Reads the words that the operator types, runs the act that they name, and says in plain English when they name none.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Act, neededWords, optionsOf, wordsOf } from '#contract/operator/act.ts';
import { actNamed, acts, type ActName } from '#contract/operator/acts.ts';
import { Plain } from './plain.ts';
import { slips } from '#server/config-names.ts';
import { release } from '#server/local-address.ts';
import { type Site, siteOf, type Told } from './site.ts';

const names = (Object.keys(acts) as ActName[]).filter((name) => !actNamed(name).isStep);
const typeOf = { one: 'string', file: 'string', several: 'string', flag: 'boolean' } as const;
const own = {
  json: { type: 'boolean' },
  as: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;
const optionTypes = {
  ...Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(optionsOf(actNamed(name))).map(([option, { kind }]) => [
        option,
        { type: typeOf[kind], multiple: kind === 'several' },
      ]),
    ),
  ),
  ...own,
};

const usageOf = (name: ActName) =>
  [name, ...Object.values(wordsOf(actNamed(name))).map(({ usage }) => usage)].join(' ');
const START = 'npm run operator --';
const help = [
  `${START} <command>`,
  '',
  'Asks the portal that runs in DATA_DIR, or opens the database that the environment describes. Each change is noted in',
  'the activity log, and whom it concerns is told by mail, which leaves when the portal runs.',
  '',
  ...names.map((name) => `  ${usageOf(name)}\n      ${actNamed(name).does}`),
  '',
  'A <person> is an id, a present or former address, or words that begin nobody else’s name.',
  '  <command> --help  the options of a command',
  '  --json            the answer as JSON',
  '  --as <name>       who you are, for the log, unless sudo says it; else the system’s user',
  '',
  'Ends with 0 when it was done, 1 when not, 2 when it was not understood.',
].join('\n');
const helpOf = (name: ActName) =>
  [
    `${START} ${usageOf(name)}`,
    `    ${actNamed(name).does}`,
    ...Object.entries(optionsOf(actNamed(name))).map(
      ([option, { usage }]) => `  --${option} ${usage.startsWith('<') ? '' : '  '}${usage}`,
    ),
    '  --json   the answer as JSON',
  ].join('\n');
/** The whole help would push a message off the screen. */
const SEE_HELP = `${START} --help lists commands.`;
const optionsNamed = (name: ActName) =>
  [...Object.keys(optionsOf(actNamed(name))), 'json'].map((option) => `--${option}`).join(', ');
const usage = (name: ActName, hint = '') =>
  no(2, `Usage: ${START} ${usageOf(name)}\n${hint}${START} ${name} --help explains it.`);

/** The command that the first words name, in whatever case. */
const nameIn = (words: readonly string[]) =>
  [2, 1]
    .map((count) => words.slice(0, count).join(' ').toLowerCase())
    .find((name): name is ActName => names.some((one) => one === name));

function noCommand(words: readonly string[]): Outcome {
  const [first = ''] = words;
  const ofGroup = names.filter((one) => one.startsWith(`${first} `));
  if (ofGroup.length > 0) {
    const whole = words.slice(0, 2).join(' ');
    return no(2, `There is no command ${whole}, but ${ofGroup.join(', ')}.\n${SEE_HELP}`);
  }
  const near = names.find((one) => {
    const typed = words.slice(0, one.split(' ').length).join(' ');
    return one[0] === typed[0] && slips(typed, one) <= one.length / 3;
  });
  const meant = /@|^\d+$/.test(first) ? `find ${first}` : near;
  return no(2, `There is no command ${first}.${meant ? ` Did you mean ${meant}?` : ''}\n${SEE_HELP}`);
}

/** Names the wrong option and those that the command takes. */
function wrongOption(args: readonly string[], { message }: Error): Outcome {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, strict: false });
  const name = nameIn(positionals);
  const [what = ''] = message.split('. ', 1);
  return no(2, `${what.replace(/\.$/, '')}.\n${name ? `${name} takes ${optionsNamed(name)}.` : SEE_HELP}`);
}

type Outcome = { readonly code: 0 | 1 | 2; readonly out: string; readonly errors: string };
const no = (code: 1 | 2, errors: string): Outcome => ({ code, out: '', errors });

/** The person at the machine: the caller of sudo, or as named, or the system's user. A container may run with a user id that has no name. */
function operatorName(named: string | undefined, { SUDO_USER: caller }: NodeJS.ProcessEnv): string {
  if (caller || named) return caller || named || '';
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

type Command = {
  readonly name: ActName;
  readonly input: Record<string, unknown>;
  readonly asJson: boolean;
  readonly by?: string;
};
/** The command that the arguments say, or what to tell instead. */
function understand(args: readonly string[], fileAt: (name: string) => string): Command | Outcome {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: optionTypes,
    });
  } catch (error) {
    return wrongOption(args, error as Error);
  }
  const {
    json = false,
    as: by,
    help: isHelp,
    version,
    ...options
  } = parsed.values as Record<string, unknown>;
  if (version) return { code: 0, out: release, errors: '' };
  const asksForHelp = parsed.positionals[0] === 'help';
  const positionals = parsed.positionals.slice(asksForHelp ? 1 : 0);
  const name = nameIn(positionals);
  if (isHelp || asksForHelp) return { code: 0, out: name ? helpOf(name) : help, errors: '' };
  if (!positionals[0]) return no(2, help);
  if (!name) return noCommand(positionals);
  const act = actNamed(name);
  const words = positionals.slice(name.split(' ').length);
  const wordNames = Object.keys(wordsOf(act));
  if (words.length < neededWords(act)) return usage(name);
  if (words.length > wordNames.length)
    return usage(
      name,
      `${wordNames.length > 0 ? 'Put a name of several words in quotation marks. ' : ''}Options are ${optionsNamed(name)}. `,
    );
  const strange = Object.keys(options).find((option) => !(option in optionsOf(act)));
  if (strange) {
    const others = names.filter((one) => strange in optionsOf(actNamed(one)));
    return no(2, `--${strange} goes with ${others.join(' and ')}.`);
  }
  const given = Object.entries(options).map(([option, value]) => [
    option,
    valueOf(act, option, value, fileAt),
  ]);
  return {
    name,
    input: {
      ...Object.fromEntries(words.map((word, at) => [wordNames[at], word])),
      ...Object.fromEntries(given),
    },
    asJson: json === true,
    ...(typeof by === 'string' && { by }),
  };
}

/** A file becomes its contents; an empty name stays. */
function valueOf(act: Act, option: string, value: unknown, fileAt: (name: string) => string) {
  if (optionsOf(act)[option]?.kind !== 'file' || value === '') return value;
  const name = fileAt(String(value));
  try {
    return readFileSync(name).toString('base64');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Plain(`--${option} ${name}: ${code === 'ENOENT' ? 'There is no such file.' : message}`);
  }
}

type Run = (site: Site, file: string) => Promise<Told>;
const byCommand: { readonly [N in ActName]?: Run } = {
  backup: async (...args) => (await import('./copies.ts')).backUp(...args),
  restore: async (...args) => (await import('./copies.ts')).bringBack(...args),
  'brand check': async (site) => (await import('./brand.ts')).checkBrand(site),
};

/** Runs one command with the operator's arguments. */
export async function operate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  try {
    // npm runs scripts in the package's folder, not in the operator's.
    const fileAt = (name: string) => path.resolve(environment['INIT_CWD'] ?? '', name);
    const command = understand(args, fileAt);
    if ('code' in command) return command;
    const { name, input, asJson, by } = command;
    const site = siteOf(environment, operatorName(by, environment));
    const run = byCommand[name];
    const {
      lines,
      data,
      isFailure = false,
      note = '',
    } = await (run ? run(site, fileAt(String(input['file']))) : site.ask(name, input));
    const out = asJson ? JSON.stringify(data, null, 2) : lines.join('\n');
    return { code: isFailure ? 1 : 0, out, errors: note };
  } catch (error) {
    if (error instanceof Plain) return no(1, error.message);
    throw error;
  }
}
