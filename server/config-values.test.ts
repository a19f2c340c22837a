import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig, WrongEnvironment } from './config.ts';
import { languages } from '#words/languages.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof WrongEnvironment) return error.problems;
    throw error;
  }
}

const secret = 'a-secret-of-exactly-32-characters';

describe('a problem never shows the secret in', () => {
  test.each([
    ['SECRET_KEY', 'hunter2'],
    ['SECRET_KEY', `${secret}hunter2,hunter2`],
    ['SECRET_KEY', `${secret}hunter2,`],
    ['REDIRECT_SECRETS', 'https://a.example=hunter2'],
    ['REDIRECT_SECRETS', 'a.example=hunter2hunter2hunter2'],
    ['REDIRECT_SECRETS', 'hunter2hunter2hunter2'],
    ['METRICS_TOKEN', 'hunter2'],
    ['METRICS_TOKEN', 'hunter2 hunter2 hunter2'],
    ['DATABASE_URL', 'mysql://app:hunter2@h/db'],
    ['DATABASE_URL', 'app:hunter2@h/db'],
    ['DATABASE_URL', 'postgres//app:hun@ter2:hunter2@h/db'],
    ['DATABASE_URL', 'mysql://app:x\nhunter2@h/db'],
    ['DATABASE_URL', 'mysql://h/db?password=hunter2'],
    ['SMTP_URL', 'https://app:hunter2@h'],
    ['STORAGE_URL', 'https://KEY:hunter2@h/bucket'],
    ['STORAGE_URL', 's3://KEY:hunter2'],
    ['STORAGE_URL', 's3://KEY:hunter2/bucket'],
    ['STORAGE_URL', 's3//KEY:hunter2@h/bucket'],
    ['STORAGE_URL', 's3://KEY:hunter2@h'],
    ['STORAGE_URL', 's3://KEY:hunter2@h/b'],
    ['STORAGE_URL', 's3://KEY:hunter2@h/bucket/../x y'],
    ['STORAGE_URL', 's3://KEY:hunter2%@h/bucket'],
    ['STORAGE_URL', 's3://:hunter2@h/bucket'],
    ['STORAGE_URL', 's3://KEY:hunter2@/bucket'],
    ['STORAGE_URL', 's3://KEY:hunter2@h%zz/bucket'],
    ['STORAGE_URL', 's3://KEY:hunter2@h/bucket?tls=yes'],
    ['STORAGE_URL', 's3://KEY:hunter2@h/bucket?zone=1'],
    ['STORAGE_URL', 's3://KEY:hunter2@h/bucket?region='],
    ['STORAGE_URL', 's3://KEY:hunter2@h/bucket#x'],
    ['PUBLIC_URL', 'https://app:hunter2@id.example'],
    ['PUBLIC_URL', 'https://:hunter2@id.example'],
  ])('%s %j', (name, text) => {
    const problems = problemsOf({ [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: got .+, takes `));
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  test('a long value, which is cut', () => {
    expect(problemsOf({ LOG_LEVEL: 'x'.repeat(5000) })[0]?.length).toBeLessThan(120);
  });
});

const isNone = (name: string, meant: string) => `${name}: is no setting; ${meant} was probably meant`;
const silent = ['PUBLIC_URL', 'SMTP_URL', 'TRUSTED_PROXIES'];
test.for<[environment: Record<string, string>, lines: string[]]>([
  [{ SMPT_URL: 'x' }, [isNone('SMPT_URL', 'SMTP_URL')]],
  [{ smtp_url: 'x' }, [isNone('smtp_url', 'SMTP_URL')]],
  [{ 'MAIL-FROM': 'x' }, [isNone('MAIL-FROM', 'MAIL_FROM')]],
  [{ TRUSTED_PROXY: 'x' }, [isNone('TRUSTED_PROXY', 'TRUSTED_PROXIES')]],
  [{ SECRET_KEYS_FILE: 'x' }, [isNone('SECRET_KEYS_FILE', 'SECRET_KEY_FILE')]],
  [{ DATABASE_URI: 'x' }, [isNone('DATABASE_URI', 'DATABASE_URL')]],
  [{ DATABASE_URI: 'x', DATABASE_URL: 'postgres://h/db' }, []],
  [{ LANGUAGE: 'en', SITE_URL: 'x', POST: 'x', HOSTNAME: 'h', PGDATABASE: 'x', XDG_DATA_DIRS: '/x' }, []],
  [{ NODE_ENV: 'production' }, silent.slice(0, 2)],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'https://id.example' }, silent.slice(1)],
])('%j: one line for each name that is none, or that production lacks', ([environment, lines]) => {
  const { warnings } = readConfig(environment);
  expect(warnings.map((line) => (lines.includes(line) ? line : line.split(':')[0]))).toEqual(lines);
});

test.for([
  ['postgres://app:pa#ss@h/db', 'DATABASE_URL'],
  ['postgres://app:pa/ss@h/db', 'DATABASE_URL'],
  ['postgres://app:12#4@h/db', 'DATABASE_URL'],
  ['postgres://app:12/4@h/db', 'DATABASE_URL'],
  ['postgres://app:pa?ss@h/db', 'DATABASE_URL'],
  ['smtps://app:pa/ss@mail.example', 'SMTP_URL'],
  ['redis://:pa#ss@h', 'REDIS_URL'],
  ['s3://KEY:SEC/RET@h/bucket', 'STORAGE_URL'],
] as const)('%s is refused because of its password', ([text, name]) => {
  expect(problemsOf({ [name]: text })).toEqual([
    expect.stringMatching(/takes a password with #, \/ and \? written as %23, %2F and %3F$/),
  ]);
});

describe('production with a DATABASE_URL', () => {
  const environment = { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/db' };
  const noKey =
    'SECRET_KEY: got nothing, takes at least 32 characters when DATABASE_URL is set in production';
  const noMail = 'SMTP_URL: got nothing, takes a mail server when DATABASE_URL is set in production';
  const SMTP_URL = 'smtp://mail.example';
  const mail = { SMTP_URL, MAIL_FROM: 'id@example.com', PUBLIC_URL: 'https://id.example' };
  test.each([
    [environment, [noKey, noMail]],
    [{ ...environment, SECRET_KEY: ' ', ...mail }, [noKey]],
    [
      { ...environment, SECRET_KEY: 'short', ...mail },
      ['SECRET_KEY: got something else, takes at least 32 characters a key'],
    ],
    [{ ...environment, SECRET_KEY: secret }, [noMail]],
    [{ ...environment, SECRET_KEY: secret, SMPT_URL: 'x' }, [noMail, isNone('SMPT_URL', 'SMTP_URL')]],
    [{ ...environment, SECRET_KEY: secret, ...mail }, []],
    [
      { NODE_ENV: 'production', SMTP_URL },
      [
        'PUBLIC_URL: got nothing, takes the origin that mailed links lead to when SMTP_URL is set in production',
        'MAIL_FROM: got nothing, takes the address that mails come from when SMTP_URL is set in production',
      ],
    ],
    [{ ...environment, NODE_ENV: 'development' }, []],
    [{ NODE_ENV: 'production' }, []],
  ])('%#: needs a key, a mail server and its own addresses (C11)', (variables, problems) => {
    expect(problemsOf(variables)).toEqual(problems);
  });
});

describe('a setting in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  test('is read without the line break at its end', () => {
    const config = readConfig({
      SECRET_KEY_FILE: file('key', `${secret}\n`),
      DATABASE_URL_FILE: file('database', 'postgres://app:hunter2@db/portico\n'),
    });
    expect(config.secretKeys).toEqual([secret]);
    expect(config.databaseUrl?.password).toBe('hunter2');
  });

  test('is refused if the file is missing, or if the variable itself is set, too', () => {
    const key = file('there', secret);
    expect(problemsOf({ SECRET_KEY_FILE: '/nowhere/key' })).toEqual([
      'SECRET_KEY_FILE: got "/nowhere/key", takes a file that can be read',
    ]);
    expect(problemsOf({ SECRET_KEY_FILE: key, SECRET_KEY: secret })).toEqual([
      `SECRET_KEY_FILE: got "${key}", takes nothing beside SECRET_KEY`,
    ]);
  });

  test('does not show its secret when it is refused', () => {
    const problems = problemsOf({ SECRET_KEY_FILE: file('short', 'hunter2') });
    expect(problems).toEqual(['SECRET_KEY: got something else, takes at least 32 characters a key']);
  });
});

test.for([
  [{}, null],
  [{ METRICS_TOKEN: ' ' }, null],
  [{ METRICS_TOKEN: 'sixteen-letters!' }, 'sixteen-letters!'],
] as const)('%j: the metrics token is %j', ([environment, token]) => {
  expect(readConfig(environment).metricsToken).toBe(token);
});

test.for(['fifteen-letter!', 'sixteen letters!', 'sechzehn-zeichenä'])('METRICS_TOKEN refuses %j', (text) => {
  expect(problemsOf({ METRICS_TOKEN: text })).toEqual([
    'METRICS_TOKEN: got something else, takes 16 characters or more without spaces',
  ]);
});

test.for([
  [{}, 0],
  [{ NODE_ENV: 'production' }, 5],
  [{ NODE_ENV: 'production', DRAIN_SECONDS: '0' }, 0],
  [{ DRAIN_SECONDS: '600' }, 600],
] as const)('%j: %d seconds to drain', ([environment, seconds]) => {
  expect(readConfig(environment).drainSeconds).toBe(seconds);
});

test.for(['601', '-1', '1.5', 'long'])('DRAIN_SECONDS refuses %j', (text) => {
  expect(problemsOf({ DRAIN_SECONDS: text })).toEqual([
    `DRAIN_SECONDS: got "${text}", takes a whole number from 0 to 600`,
  ]);
});

test('KNOWN_NETWORKS takes addresses and networks, of IPv6 only /64 and larger, as limits count them', () => {
  const text = '203.0.113.7, 198.51.100.0/24, 2001:db8::/64';
  expect(readConfig({ KNOWN_NETWORKS: text }).knownNetworks).toEqual(text.split(', '));
  for (const refused of ['office', '::1', '2001:db8::/65'])
    expect(problemsOf({ KNOWN_NETWORKS: refused })).toEqual([
      `KNOWN_NETWORKS: got "${refused}", takes addresses or networks, comma-separated, such as 203.0.113.7, 2001:db8:1::/48`,
    ]);
});

test('LANGUAGES names catalogs, the default first; otherwise all reviewed ones are offered', () => {
  const reviewed = languages.filter(({ isReviewed }) => isReviewed).map(({ tag }) => tag);
  expect(readConfig({}).languages).toEqual(reviewed);
  expect(reviewed[0]).toBe('en');
  const all = languages.map(({ tag }) => tag).toReversed();
  expect(readConfig({ LANGUAGES: ` ${all.join(' , ')},en` }).languages).toEqual(all);
  for (const text of ['english', 'en,xx', 'en,', 'en de'])
    expect(problemsOf({ LANGUAGES: text })).toEqual([
      `LANGUAGES: got "${text}", takes some of ${all.toReversed().join(', ')}`,
    ]);
});
