import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig, WrongEnvironment } from './config.ts';

type Environment = Record<string, string>;

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof WrongEnvironment) return error.problems;
    throw error;
  }
}

const secret = 'a-secret-of-exactly-32-characters';
const webUrl = 'takes a URL that starts with http:// or https://';
const databaseUrl = 'takes a URL that starts with postgres:// or postgresql://';
const mailbox = 'takes one mail address';
const storageUrl = 'takes file:/a/folder or s3://KEY:SECRET@host:port/bucket?region=…&tls=…, the last 0 or 1';
const networks = 'takes addresses or networks, comma-separated, such as 10.0.0.0/8';
const whole = (least: number, most: number) => `takes a whole number from ${least} to ${most}`;
const notWhole = ['1.5', '-1', '1e3', '0x10', 'ten', '1 0', '١', '9'.repeat(30)];

type Variable = {
  /** The config key, its value when the variable is not set, and pairs of text and parsed value. */
  reads: [key: keyof Config, fallback: unknown, ...[text: string, value: unknown][]];
  /** Refused texts, by the message that refuses them. */
  refuses?: Record<string, string[]>;
};

const variables: Record<string, Variable> = {
  NODE_ENV: {
    reads: ['production', false, ['production', true], ['development', false], ['test', false]],
    refuses: { 'takes development or production or test': ['prod', 'PRODUCTION', 'staging'] },
  },
  PORT: {
    reads: ['port', 3000, ['1', 1], ['65535', 65_535], [' 8080 ', 8080]],
    refuses: { [whole(1, 65_535)]: ['0', '65536', ...notWhole] },
  },
  HOST: { reads: ['host', '127.0.0.1', ['0.0.0.0', '0.0.0.0'], ['::', '::']] },
  DATA_DIR: { reads: ['dataDir', path.resolve('data'), ['/srv/portico', path.resolve('/srv/portico')]] },
  PUBLIC_URL: {
    reads: [
      'publicUrl',
      new URL('http://localhost:3000'),
      ['https://id.example', new URL('https://id.example')],
      ['https://id.example:8443/', new URL('https://id.example:8443')],
      ['http://localhost:8080', new URL('http://localhost:8080')],
      ['http://127.0.0.1:8080', new URL('http://127.0.0.1:8080')],
      ['http://127.255.0.9', new URL('http://127.255.0.9')],
      ['http://[::1]:3000', new URL('http://[::1]:3000')],
    ],
    refuses: {
      'takes an https origin (plain http is for loopback only)': [
        ...'http://id.example http://10.0.0.1 http://localhost.id.example'.split(' '),
        ...'http://127.0.0.1.id.example http://0.0.0.0:3000 http://[::2]'.split(' '),
      ],
      'takes an origin without path, query or user': ['https://id.example/x', 'https://id.example/#x'],
      'takes an origin such as https://accounts.example.com': [
        'id.example',
        'ftp://id.example',
        'https://',
        '/x',
      ],
    },
  },
  DATABASE_URL: {
    reads: [
      'databaseUrl',
      null,
      ['postgres://u@h/db', new URL('postgres://u@h/db')],
      ['postgresql://h', new URL('postgresql://h')],
    ],
    refuses: { [databaseUrl]: ['mysql://h/db', 'localhost', 'http://h/db'] },
  },
  REDIS_URL: {
    reads: [
      'redisUrl',
      null,
      ['redis://h:6379', new URL('redis://h:6379')],
      ['rediss://h', new URL('rediss://h')],
    ],
    refuses: { 'takes a URL that starts with redis:// or rediss://': ['h:6379', 'http://h'] },
  },
  STORAGE_URL: {
    reads: [
      'storage',
      { folder: path.resolve('data/images') },
      ['file:/srv/images', { folder: '/srv/images' }],
      ['file:///srv/im ages', { folder: '/srv/im ages' }],
      [
        's3://KEY:SECRET@store.example/pictures',
        {
          url: new URL('https://store.example/pictures'),
          prefix: '',
          keyId: 'KEY',
          secret: 'SECRET',
          region: 'us-east-1',
        },
      ],
      [
        's3://te%3Ast:a%2Fb%2B@127.0.0.1:9000/my.bucket/portico/live?region=eu-1&tls=0',
        {
          url: new URL('http://127.0.0.1:9000/my.bucket'),
          prefix: 'portico/live/',
          keyId: 'te:st',
          secret: 'a/b+',
          region: 'eu-1',
        },
      ],
    ],
    refuses: {
      [storageUrl]: [
        'file:images',
        'file:./images',
        'file://server/images',

        'file:/a#b',
        'file:/a%00b',
      ],
    },
  },
  SMTP_URL: {
    reads: ['smtpUrl', null, ['smtp://h:25', new URL('smtp://h:25')], ['smtps://h', new URL('smtps://h')]],
    refuses: { 'takes a URL that starts with smtp:// or smtps://': ['mail.example', 'https://mail.example'] },
  },
  MAIL_FROM: {
    reads: ['mailFrom', 'portico@localhost', ['id@example.com', 'id@example.com']],
    refuses: {
      [mailbox]: ['Portico <id@example.com>', 'a@b.co,c@d.co', 'id', 'id@', '@b.co', 'a@b\r\nBcc: c@d.co'],
    },
  },
  RATE_LIMIT_FACTOR: {
    reads: ['rateLimitFactor', 1, ['1000', 1000]],
    refuses: { [whole(1, 1_000_000)]: ['0', '1000001', ...notWhole] },
  },
  REAUTH_WINDOW_MINUTES: {
    reads: ['reauthWindowMinutes', 10, ['0', 0], ['1440', 1440]],
    refuses: { [whole(0, 1440)]: ['1441', ...notWhole] },
  },
  ALLOWED_REDIRECTS: {
    reads: [
      'allowedRedirects',
      [],
      ['https://a.example, http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
    ],
    refuses: {
      'takes origins, comma-separated, such as https://sign.example.com': [
        'a.example',
        'https://a.example/x',
        'https://a.example/',
      ],
    },
  },
  REDIRECT_SECRETS: {
    reads: [
      'redirectSecrets',
      new Map(),
      [`https://a.example=${secret}=`, new Map([['https://a.example', `${secret}=`]])],
    ],
  },
  SECRET_KEY: {
    reads: ['secretKeys', null, [secret, [secret]], [`${secret}, ${secret}2`, [secret, `${secret}2`]]],
  },
  TRUSTED_PROXIES: {
    reads: [
      'trustedProxies',
      [],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      [' 127.0.0.1 , ::1,, fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
      ['10.0.0.1/32,::1/128', ['10.0.0.1/32', '::1/128']],
    ],
    refuses: {
      'takes no network of all addresses: anybody could name any address as theirs': [
        '0.0.0.0/0',
        '10.0.0.0/8, ::/0',
      ],
      [networks]: 'proxy cafe 999 10.0.0 10.0.0.256 10.0.0.0/33 ::/129 10.0.0.0/ 10.0.0.0/8/8'.split(' '),
    },
  },
  LOG_LEVEL: {
    reads: ['logLevel', 'warn', ['debug', 'debug'], ['info', 'info'], ['warn', 'warn'], ['error', 'error']],
    refuses: { 'takes warn or debug or info or error': ['verbose', 'INFO', 'trace'] },
  },
  ACCOUNT_DISCLOSURE: {
    reads: ['disclosure', 'spec', ['spec', 'spec'], ['neutral', 'neutral']],
    refuses: { 'takes spec or neutral': ['none', 'Neutral'] },
  },
  PASSWORD_BLOCKLIST: {
    reads: ['passwordBlocklist', true, ['on', true], ['off', false]],
    refuses: { 'takes on or off': ['warn', 'ON', '0'] },
  },
  MAX_ORGS_PER_USER: {
    reads: ['organizationsPerUser', 10, ['1', 1], ['100000', 100_000]],
    refuses: { [whole(1, 100_000)]: ['0', '100001', ...notWhole] },
  },
  MAX_MEMBERS_PER_ORG: {
    reads: ['maxMembersPerOrg', 500, ['1', 1], ['1000000', 1_000_000]],
    refuses: { [whole(1, 1_000_000)]: ['0', '1000001', ...notWhole] },
  },
  SESSION_IDLE_HOURS: {
    reads: ['sessionIdleHours', 168, ['1', 1], ['8760', 8760]],
    refuses: { [whole(1, 8760)]: ['0', '8761', ...notWhole] },
  },
  SESSION_ABSOLUTE_HOURS: {
    reads: ['sessionAbsoluteHours', 720, ['1', 1], ['8760', 8760]],
    refuses: { [whole(1, 8760)]: ['0', '8761', ...notWhole] },
  },
  SIGN_URL: {
    reads: ['signUrl', null, ['https://sign.example', new URL('https://sign.example')]],
    refuses: { [webUrl]: ['sign.example', 'javascript:alert(1)'] },
  },
  SEO_URL: {
    reads: ['seoUrl', null, ['http://seo.example', new URL('http://seo.example')]],
    refuses: { [webUrl]: ['seo', 'ftp://seo.example'] },
  },
  PRICING_URL: {
    reads: ['pricingUrl', null, ['https://a.example/p', new URL('https://a.example/p')]],
    refuses: { [webUrl]: ['/pricing', 'data:x'] },
  },
  SUPPORT_EMAIL: {
    reads: ['supportEmail', null, ['help@example.com', 'help@example.com']],
    refuses: { [mailbox]: ['help', 'a b@c.co'] },
  },
};

describe.each(Object.entries(variables))('%s', (name, { reads: [key, fallback, ...texts], refuses = {} }) => {
  test('has a default for an absent or a blank value', () => {
    expect(readConfig({})[key]).toEqual(fallback);
    expect(readConfig({ [name]: '' })[key]).toEqual(fallback);
    expect(readConfig({ [name]: '  ' })[key]).toEqual(fallback);
  });

  test.each(texts)('takes %j', (text, value) => {
    expect(readConfig({ [name]: text })[key]).toEqual(value);
  });

  const wrong = Object.entries(refuses).flatMap(([takes, values]) =>
    values.map((text) => [text, takes] as const),
  );
  test.each(wrong)('refuses %j in one line', (text, takes) => {
    expect(problemsOf({ [name]: text })).toEqual([`${name}: got ${JSON.stringify(text)}, ${takes}`]);
  });
});

/** Tested in server/social/rules.test.ts, brand/folder.test.ts and config-values.test.ts. */
const elsewhere =
  `facebook google googleLogin providerPatienceMs brandDir deskNetworks metricsToken drainSeconds
  knownNetworks languages warnings`.split(/\s+/);

test('every variable is in the table or tested elsewhere', () => {
  const tested = [...Object.values(variables).map(({ reads: [key] }) => key), ...elsewhere];
  expect(Object.keys(readConfig({})).toSorted()).toEqual([...tested, 'dev', 'hashConcurrency'].toSorted());
  expect(readConfig({}).hashConcurrency).toBe(availableParallelism());
});

test.each([
  [{}, false],
  [{ PORTICO_DEV: '1' }, true],
  [{ PORTICO_DEV: '0' }, false],
  [{ PORTICO_DEV: '1', NODE_ENV: 'production' }, false],
] as const)('%j: development server %s', (environment, dev) => {
  expect(readConfig(environment).dev).toBe(dev);
});

test('the public address follows the port, and the log is quieter outside production', () => {
  expect(readConfig({ PORT: '8080' }).publicUrl.href).toBe('http://localhost:8080/');
  expect(readConfig({ NODE_ENV: 'production' }).logLevel).toBe('info');
});

test('all problems are reported at once, one per line, and the result is frozen', () => {
  const problems = problemsOf({
    PORT: 'x',
    LOG_LEVEL: 'x',
    PUBLIC_URL: 'http://id.example',
    SUPPORT_EMAIL: 'x',
  });
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'LOG_LEVEL',
    'SUPPORT_EMAIL',
  ]);
  expect(new WrongEnvironment(problems).message.split('\n')).toEqual(problems);
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});
