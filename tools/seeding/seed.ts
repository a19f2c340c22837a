import { pino } from 'pino';
import { Refusal } from '#contract/errors.ts';
import { hourly } from '#server/hourly.ts';
import { DAY_MS } from '#server/clock.ts';
import { type Config, readConfig } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { countsInDatabase } from '#server/db/counts.ts';
import { FolderInUse } from '#server/db/lock.ts';
import { intoFolder, type Letter, outboxFolder } from '#server/mail/transports.ts';
import { openInstallation, operatorMessage } from '#server/open.ts';
import { runAct } from '#server/operator/acts/actions.ts';
import { DEMO_APP_URL, writeSettings } from '../demo-app-settings.ts';
import { PASSWORD, startPlay, StoryClock, withOnePassword } from './play.ts';
import { APP_SECRET, playYear, type Story } from './story.ts';

type Options = { readonly besideOthers: boolean; readonly tell: (share: number) => void };

export async function seed(
  environment: NodeJS.ProcessEnv,
  options: Options,
): Promise<{ readonly ok: boolean; readonly words: string }> {
  try {
    const config = readConfig(environment);
    if (config.production)
      return {
        ok: false,
        words: 'NODE_ENV is production: made-up people are not for there. Nothing was changed.',
      };
    const { deps, database } = await openInstallation(
      { ...config, redisUrl: null },
      pino({ level: 'silent' }),
    );
    try {
      const refusal = await whyNot(deps, options.besideOthers);
      if (refusal) return { ok: false, words: `${refusal} Nothing was changed.` };
      const story = await fill(deps, options);
      await registerDemoApp(deps);
      return { ok: true, words: howToSignIn(config, story) };
    } finally {
      await database.close();
    }
  } catch (error) {
    const words = operatorMessage(error);
    if (words === undefined) throw error;
    const isRunning = error instanceof FolderInUse;
    return {
      ok: false,
      words: isRunning ? `The portal must be stopped while people are added: ${words}` : words,
    };
  }
}

async function whyNot({ sql }: Deps, besideOthers: boolean): Promise<string | undefined> {
  const people = sql.selectFrom('users').select('email');
  if (await people.where('email', '=', 'maya.lindqvist@northwind.example').executeTakeFirst())
    return 'These people are here already.';
  if (besideOthers || !(await people.limit(1).executeTakeFirst())) return undefined;
  return 'There are people here already; --beside-others adds the made-up ones.';
}

async function fill(real: Deps, { tell }: Options): Promise<Story> {
  const end = real.clock.now();
  const clock = new StoryClock(new Date(end.getTime() - 400 * DAY_MS));
  const config = { ...real.config, maxMembersPerOrg: Math.max(40, real.config.maxMembersPerOrg) };
  const limiter = createLimiter(countsInDatabase(real.sql), clock, config, real.metrics);
  const deps = await withOnePassword({ ...real, clock, config, limiter });
  // The last week's mails only: none is delivered, and older links have expired.
  const intoOutbox = intoFolder(outboxFolder(config));
  const keep = async (letter: Letter) => {
    const isRecent = end.getTime() - letter.date.getTime() < 7 * DAY_MS;
    if (isRecent && !config.smtpUrl) await intoOutbox(letter);
  };
  const story = await playYear(deps, startPlay(deps, keep), clock, end, tell);
  for (const sweep of hourly) await sweep(real);
  return story;
}

async function registerDemoApp(deps: Deps) {
  const added = await runAct(deps, { name: 'seed', level: 'machine' }, 'applications add', {
    name: 'Demonstration',
    description: 'Shows who is signed in',
    'first-party': true,
    start: DEMO_APP_URL,
    redirect: [`${DEMO_APP_URL}/callback`],
    'signed-out': [DEMO_APP_URL],
    'logout-tokens': `${DEMO_APP_URL}/backchannel-logout`,
  });
  if (added instanceof Refusal) throw new Error('a web application has a secret');
  writeSettings(deps.config, {
    url: DEMO_APP_URL,
    ...(added.data as { readonly client_id: string; readonly client_secret: string }),
  });
}

const actors: readonly (readonly [first: string, what: string])[] = [
  ['Maya', 'Super Admin of Northwind Traders, guest of Lakeside Studio'],
  ['Tom', 'Super Admin too, invited to Lakeside Studio'],
  ['Lukas', 'Admin'],
  ['Aisha', 'Team Lead, an admin role; enters a code by mail'],
  ['Noah', 'Sales, no admin'],
  ['Yuki', 'Accounting, no admin'],
  ['Elsa', 'Super Admin of Lakeside Studio, which requires a second step; has an authenticator app'],
  ['Kim', 'address not confirmed, no organization'],
  ['Anders', 'inactive in the organization'],
  ['Hugo', 'disabled in the organization'],
  ['Chloé', 'account to be deleted'],
  ['Emil', 'account restricted for 24 hours'],
];

function howToSignIn({ publicUrl }: Config, { people, recoveryCodes }: Story): string {
  const lines = actors.map(([first, what]) => `  ${(people.get(first)?.email ?? '').padEnd(36)} ${what}`);
  return [
    `${people.size} people are there. Everybody’s password is: ${PASSWORD}`,
    ...lines,
    `The code of Elsa’s app: oathtool --totp --base32 ${APP_SECRET}`,
    `Her recovery codes: ${recoveryCodes.join(' ')}`,
    `Start the portal with npm start and sign in at ${publicUrl.origin}/login`,
    `Beside it, npm run demo-app starts an application that signs people in: ${DEMO_APP_URL}`,
  ].join('\n');
}
