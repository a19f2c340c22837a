import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { type Config, readConfig } from '#server/config.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { listFailed } from '#server/jobs/data.ts';
import { openInstallation, operatorMessage, readInstallation } from '#server/open.ts';
import { retryJobs, settleRestored } from '#server/operator/actions.ts';
import { applicationCommands, settingHelp } from './applications.ts';
import {
  by,
  listed,
  type Result,
  type Command,
  type Commands,
  type OptionName,
  type Options,
  optionTypes,
} from './command.ts';
import { backUp, bringBack, Plain } from './copies.ts';
import { DEFAULT_LIMIT, logHelp, showLog } from './log.ts';
import { peopleCommands } from './people.ts';
import { signingKeyCommands } from './signing-keys.ts';
import { webhookCommands, webhookHelp } from './webhooks.ts';

const quiet = pino({ level: 'silent' });
const settlementLines = (lost: number) => [
  'Everybody is signed out; earlier links and codes, recovery codes too, serve no more; no browser is remembered.',
  'Mails that waited are dropped.',
  ...(lost === 1 ? ['1 picture has no file in it: left out.'] : []),
  ...(lost > 1 ? [`${lost} pictures have no file in it: left out.`] : []),
];

export const commands: Commands = {
  ...peopleCommands,
  log: {
    accepts: ['since', 'until', 'action', 'person', 'organization', 'limit'],
    does: `List what operators did, the newest first; default: ${DEFAULT_LIMIT}`,
    run: { looksUp: showLog },
  },
  verify: {
    takes: ['[chain, such as org:3 or user:7]'],
    does: 'Recompute the activity log; names the first wrong row of each chain',
    run: {
      looksUp: async (deps, [only]) => {
        const broken = [];
        for await (const one of brokenChains(deps, only)) broken.push(one);
        const lines = broken.map(({ chain, position, problem }) => `${chain} row ${position}: ${problem}`);
        const whole = `The log is as it was written${only === undefined ? '' : ` (${only})`}.`;
        return { lines: broken.length > 0 ? lines : [whole], data: broken, isFailure: broken.length > 0 };
      },
    },
  },
  jobs: {
    does: 'List jobs and mails that were given up',
    run: {
      looksUp: async ({ sql, clock }) =>
        listed(
          await listFailed(sql, clock),
          (job) => `${job.id}  ${job.kind}  ${job.failed_at?.toISOString()}  ${job.last_error}`,
          `None was given up; ${(await jobCounts(sql, clock)).reduce((sum, { due }) => sum + due, 0)} wait.`,
        ),
    },
  },
  retry: {
    takes: ['<job id, or all>'],
    does: 'Have jobs that were given up tried again',
    run: {
      changes: async (deps, [which = '']) => {
        if (!/^(all|\d{1,15})$/.test(which)) throw new Plain('retry takes the id of a job, or all.');
        const { retried } = await retryJobs(deps, by, which === 'all' ? undefined : Number(which));
        const lines = retried.map(({ id, kind }) => `${id}  ${kind}: is tried again.`);
        const isNone = retried.length === 0;
        return { lines: isNone ? ['No such job was given up.'] : lines, data: retried, isFailure: isNone };
      },
    },
  },
  ...applicationCommands,
  ...webhookCommands,
  ...signingKeyCommands,
  backup: {
    takes: ['<file>'],
    does: 'Copy database, images and secret into one file',
    run: {
      alone: async (config, file) => {
        const copy = await backUp(config, quiet, by, file);
        return { lines: [`Written to ${copy.file}.`, ...copy.notes], data: copy };
      },
    },
  },
  restore: {
    takes: ['<file>'],
    does: 'Bring a backup back, into an empty DATA_DIR or database',
    run: {
      alone: async (config, file) => {
        const back = await bringBack(config, quiet, by, file);
        return {
          lines: [`Brought back from ${back.file}.`, ...settlementLines(back.lostImages)],
          data: back,
        };
      },
    },
  },
  settle: {
    takes: ['<what it was brought back from>'],
    does: 'Do what restore does at its end, after PostgreSQL itself was brought back to an earlier moment',
    run: {
      changes: async (deps, [from = '']) => {
        const settlement = await settleRestored(deps, by, from);
        return { lines: settlementLines(settlement.lostImages), data: settlement };
      },
    },
  },
};

const usageOf = ([name, { takes = [] }]: readonly [string, Command]) => [name, ...takes].join(' ');
const help = [
  'npm run operator -- <command>',
  '',
  'Works on the installation that the environment describes, as the portal does. The embedded database serves one',
  'process: stop the portal first. On PostgreSQL it may go on. Each change is noted in the activity log, and whom it',
  'concerns is told by mail, which leaves when the portal runs. Looking things up changes nothing.',
  '',
  ...Object.entries(commands).map((entry) => `  ${usageOf(entry)}\n      ${entry[1].does}`),
  '',
  'A <person> is an id, an address, or the start of a name that fits nobody else.',
  '  --until <moment>  when a restriction ends, in UTC',
  '',
  'Filters of the log:',
  ...logHelp,
  '',
  'Settings of an application:',
  ...settingHelp,
  '',
  'Settings of a webhook:',
  ...webhookHelp,
  '',
  '  --json            the answer as JSON',
  '  --help            this',
  '',
  'Ends with 0 when it was done, 1 when not, 2 when it was not understood.',
].join('\n');

/** The whole help would push a message off the screen. */
const SEE_HELP = 'npm run operator -- --help lists commands and options.';

const accepts = ({ accepts: own = [] }: Command, option: OptionName) =>
  option === 'json' || own.includes(option);
const namesAccepting = (option: OptionName) =>
  Object.entries(commands)
    .filter(([, command]) => accepts(command, option))
    .map(([name]) => name)
    .join(' and ');

type Outcome = { readonly code: 0 | 1 | 2; readonly out: string; readonly errors: string };

export async function operate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const success = (out: string): Outcome => ({ code: 0, out, errors: '' });
  const no = (code: 1 | 2, words: string, out = ''): Outcome => ({ code, out, errors: words });
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: optionTypes,
    });
  } catch (error) {
    return no(2, `${(error as Error).message}\n${SEE_HELP}`);
  }
  const { values, positionals } = parsed;
  if (values.help || positionals.length === 0) return values.help ? success(help) : no(2, help);
  const words = [2, 1].find((count) => Object.hasOwn(commands, positionals.slice(0, count).join(' '))) ?? 1;
  const [name, rest] = [positionals.slice(0, words).join(' '), positionals.slice(words)];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const longer = Object.keys(commands).filter((one) => one.startsWith(`${name} `));
    const known = longer.length > 0 ? ` There are ${longer.join(', ')}.` : '';
    return no(2, `There is no command ${name}.${known}\n${SEE_HELP}`);
  }
  const { takes = [] } = command;
  const required = takes.filter((one) => one.startsWith('<')).length;
  if (rest.length < required || rest.length > takes.length)
    return no(2, `Usage: npm run operator -- ${usageOf([name, command])}`);
  const unacceptedOption = Object.keys(values).find((option) => !accepts(command, option as OptionName));
  if (unacceptedOption)
    return no(2, `--${unacceptedOption} goes with ${namesAccepting(unacceptedOption as OptionName)}.`);

  try {
    // Commands count no limits, and a Redis connection would keep this process alive.
    const config = { ...readConfig(environment), redisUrl: null };
    if (name !== 'restore' && !config.databaseUrl && !existsSync(path.join(config.dataDir, 'database')))
      throw new Plain(
        `There is no installation in ${config.dataDir}. Start the portal once, or set DATA_DIR or DATABASE_URL.`,
      );
    // npm runs scripts in the package's folder, not in the operator's.
    const fileAt = (file: string) => file && path.resolve(environment['INIT_CWD'] ?? '', file);
    const options = {
      ...values,
      ...(values.icon !== undefined && { icon: fileAt(values.icon) }),
      ...(values['public-keys'] !== undefined && { 'public-keys': fileAt(values['public-keys']) }),
    };
    const args = 'alone' in command.run ? rest.map(fileAt) : rest;
    const { result, note = '' } = await runOn(command, config, args, options);
    const text = values.json ? JSON.stringify(result.data, null, 2) : result.lines.join('\n');
    if (result.isFailure) return no(1, values.json ? note : text, values.json ? text : '');
    return { ...success(text), errors: note };
  } catch (error) {
    const words = error instanceof Plain ? error.message : operatorMessage(error);
    if (words === undefined) throw error;
    return no(1, words);
  }
}

async function runOn(
  { run }: Command,
  config: Config,
  args: readonly string[],
  options: Options,
): Promise<{ readonly result: Result; readonly note?: string | undefined }> {
  if ('alone' in run) return { result: await run.alone(config, args[0] ?? '') };
  if ('looksUp' in run) return readInstallation(config, quiet, (deps) => run.looksUp(deps, args, options));
  const { deps, database } = await openInstallation(config, quiet);
  try {
    return { result: await run.changes(deps, args, options) };
  } finally {
    await database.close();
  }
}
