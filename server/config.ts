import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WIRE_NAME } from '#contract/limits.ts';

/** The result for a refused text; `what` describes the accepted ones. */
class Takes {
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}

type Read<T> = (text: string | undefined) => T | Takes;

const whole =
  (fallback: number, least: number, most: number): Read<number> =>
  (text) => {
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : new Takes(`a whole number from ${least} to ${most}`);
  };

const oneOf =
  <const T extends string>(fallback: T, ...others: T[]): Read<T> =>
  (text) => {
    const words = [...new Set([fallback, ...others])];
    return text === undefined
      ? fallback
      : (words.find((word) => word === text) ?? new Takes(words.join(' or ')));
  };

const url =
  (...schemes: string[]): Read<URL | null> =>
  (text) => {
    if (text === undefined) return null;
    const takes = new Takes(`a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
    if (!URL.canParse(text)) return takes;
    const value = new URL(text);
    const hasHost = value.hostname !== '' || value.protocol.startsWith('postgres');
    return schemes.includes(value.protocol) && hasHost ? value : takes;
  };

/** Whether only this machine reaches a host. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** A URL of an identity provider; a local fake may use plain http. */
const providerUrl: Read<URL | null> = (text) => {
  const value = url('http:', 'https:')(text);
  if (value === null || value instanceof Takes) return value;
  if (value.username || value.password || value.hash) return new Takes('a URL without user or fragment');
  return value.protocol === 'https:' || isLoopback(value.hostname)
    ? value
    : new Takes('an https URL (plain http is for loopback only)');
};

/** The origin that browsers see. Cookies with the __Host- prefix and HSTS need https, except on loopback. */
const publicOrigin =
  (port: number): Read<URL> =>
  (text) => {
    const value = url('http:', 'https:')(text ?? `http://localhost:${port}`);
    if (value === null || value instanceof Takes)
      return new Takes('an origin such as https://accounts.example.com');
    if (value.href !== `${value.origin}/`) return new Takes('an origin without path, query or user');
    if (value.protocol === 'http:' && !isLoopback(value.hostname))
      return new Takes('an https origin (plain http is for loopback only)');
    return value;
  };

const isNetwork = (entry: string) => {
  const [, address = '', bits = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  return isIP(address) > 0 && Number(bits) >= 1 && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
};

const cidrs: Read<string[]> = (text) => {
  const list = (text ?? '').split(',').flatMap((entry) => entry.trim() || []);
  return list.every(isNetwork)
    ? list
    : new Takes('addresses or networks, comma-separated, such as 10.0.0.0/8');
};

const origins: Read<string[]> = (text) => {
  const list = (text ?? '').split(',').flatMap((entry) => entry.trim() || []);
  return list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry)
    ? list
    : new Takes('origins, comma-separated, such as https://sign.example.com');
};

/** The secret with which each application's server redeems codes, by origin. */
const originSecrets: Read<Map<string, string>> = (text) => {
  const secretOf = new Map<string, string>();
  for (const entry of (text ?? '').split(',').flatMap((part) => part.trim() || [])) {
    const [, origin = '', secret = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? [];
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || secret.length < 16)
      return new Takes('origin=secret, comma-separated, each secret of 16 characters or more');
    secretOf.set(origin, secret);
  }
  return secretOf;
};

/** One or more keys, newest first; older keys still verify what they signed. */
const secrets: Read<string[] | null> = (text) => {
  if (text === undefined) return null;
  const keys = text.split(',').map((key) => key.trim());
  return keys.every((key) => key.length >= 32) ? keys : new Takes('at least 32 characters a key');
};

/** The token that a metrics scraper on another machine sends. */
const token: Read<string | null> = (text) =>
  text === undefined || /^[\x21-\x7e]{16,}$/.test(text)
    ? (text ?? null)
    : new Takes('16 characters or more without spaces');

const mailbox: Read<string | null> = (text) =>
  text === undefined || /^[^\s@"<>,;]+@[^\s@"<>,;]+$/.test(text)
    ? (text ?? null)
    : new Takes('one mail address');

const anyText =
  (fallback: string): Read<string> =>
  (text) =>
    text ?? fallback;

/** The addresses of an identity provider: an issuer for OpenID Connect discovery, or the three of OAuth. */
type ProviderAddress =
  | { readonly issuer: URL }
  | { readonly authorize: URL; readonly token: URL; readonly userInfo: URL };
export type ProviderConfig = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly at: ProviderAddress;
};
const realProviders = {
  FACEBOOK: {
    authorize: new URL('https://www.facebook.com/v25.0/dialog/oauth'),
    token: new URL('https://graph.facebook.com/v25.0/oauth/access_token'),
    userInfo: new URL('https://graph.facebook.com/v25.0/me?fields=id,email,first_name,last_name'),
  },
  GOOGLE: { issuer: new URL('https://accounts.google.com') },
} satisfies Record<string, ProviderAddress>;

/** A bucket for images. `url` does not end with a slash; `prefix` is empty or a folder that does. */
export type Bucket = {
  readonly url: URL;
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
};

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
const bucketPath = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-]+)*)$/i;
/** A folder of this machine, or a bucket with its access key. */
const storage =
  (dataDir: string): Read<{ readonly folder: string } | Bucket> =>
  (text) => {
    if (text === undefined) return { folder: path.join(dataDir, 'images') };
    const takes = new Takes(
      'file:/a/folder or s3://KEY:SECRET@host:port/bucket?region=…&tls=…, the last 0 or 1',
    );
    if (!URL.canParse(text)) return takes;
    const { protocol, username, password, host, pathname, hash, searchParams } = new URL(text);
    if (protocol === 'file:')
      return /^file:\/[^?#%]+$/.test(text) && !host ? { folder: fileURLToPath(text) } : takes;
    const [, name, folder = ''] = bucketPath.exec(pathname) ?? [];
    const { region = 'us-east-1', tls = '1', ...more } = Object.fromEntries(searchParams);
    const [keyId, secret] = [unescaped(username), unescaped(password)];
    const address = `${tls === '0' ? 'http' : 'https'}://${host}/${name}`;
    const isWhole = protocol === 's3:' && keyId && secret && name && !hash && URL.canParse(address);
    if (!isWhole || !/^[01]$/.test(tls) || !/^[\w-]+$/.test(region) || Object.keys(more).length > 0)
      return takes;
    return { url: new URL(address), prefix: folder && `${folder.slice(1)}/`, keyId, secret, region };
  };

export type Config = ReturnType<typeof parse>;

function parse(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  // Containers and services pass secrets in files.
  const textOf = (name: string): string | undefined => {
    const file = environment[`${name}_FILE`];
    if (!file) return environment[name];
    const refuse = (what: string) => void problems.push(`${name}_FILE: got "${file}", takes ${what}`);
    if (environment[name]) return refuse(`nothing beside ${name}`);
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return refuse('a file that can be read');
    }
  };
  const read = <T>(name: string, reader: Read<T>): T => {
    const text = textOf(name)?.trim() || undefined;
    const value = reader(text);
    if (!(value instanceof Takes)) return value;
    const safeText = /URL|ISSUER/.test(name) ? text?.replace(/^[^]*@/, '…@').replace(/\?[^]*/, '?…') : text;
    const isSecret = /SECRET|TOKEN$/.test(name) || (name === 'STORAGE_URL' && !text?.startsWith('file:'));
    const got = isSecret ? 'something else' : JSON.stringify(safeText?.slice(0, 60) ?? '');
    problems.push(`${name}: got ${got}, takes ${value.what}`);
    // This value is never used, because parse() throws if there is any problem.
    return reader(undefined) as T;
  };

  const missing = (name: string, what: string) => problems.push(`${name}: got "", takes ${what}`);

  const readProvider = (name: keyof typeof realProviders): ProviderConfig | null => {
    const clientId = read(`${name}_CLIENT_ID`, anyText(''));
    const clientSecret = read(`${name}_CLIENT_SECRET`, anyText(''));
    if (clientId && !clientSecret) missing(`${name}_CLIENT_SECRET`, `the secret of ${name}_CLIENT_ID`);
    if (clientSecret && !clientId) missing(`${name}_CLIENT_ID`, `the id that ${name}_CLIENT_SECRET is for`);
    const at = readAddress(name);
    return clientId && clientSecret ? { clientId, clientSecret, at } : null;
  };

  const readAddress = (name: keyof typeof realProviders): ProviderAddress => {
    const issuer = read(`${name}_ISSUER`, providerUrl);
    const [authorize, token, userInfo] = [
      read(`${name}_AUTHORIZE_URL`, providerUrl),
      read(`${name}_TOKEN_URL`, providerUrl),
      read(`${name}_USERINFO_URL`, providerUrl),
    ];
    if (!authorize && !token && !userInfo) return issuer ? { issuer } : realProviders[name];
    if (issuer) problems.push(`${name}_ISSUER: got "${issuer.href}", takes nothing beside ${name}_…_URL`);
    if (authorize && token && userInfo) return { authorize, token, userInfo };
    const parts = { AUTHORIZE: authorize, TOKEN: token, USERINFO: userInfo };
    for (const [part, address] of Object.entries(parts))
      if (!address && !environment[`${name}_${part}_URL`])
        missing(`${name}_${part}_URL`, `a URL when another ${name}_…_URL is set`);
    return realProviders[name];
  };

  const production = read('NODE_ENV', oneOf('development', 'production', 'test')) === 'production';
  const port = read('PORT', whole(3000, 1, 65_535));
  const dataDir = path.resolve(read('DATA_DIR', anyText('./data')));
  const config = {
    production,
    dev: environment.PORTICO_DEV === '1' && !production,
    port,
    host: read('HOST', anyText('127.0.0.1')),
    publicUrl: read('PUBLIC_URL', publicOrigin(port)),
    dataDir,
    databaseUrl: read('DATABASE_URL', url('postgres:', 'postgresql:')),
    redisUrl: read('REDIS_URL', url('redis:', 'rediss:')),
    storage: read('STORAGE_URL', storage(dataDir)),
    smtpUrl: read('SMTP_URL', url('smtp:', 'smtps:')),
    mailFrom: read('MAIL_FROM', mailbox) ?? `${WIRE_NAME}@localhost`,
    secretKeys: read('SECRET_KEY', secrets),
    trustedProxies: read('TRUSTED_PROXIES', cidrs),
    logLevel: read('LOG_LEVEL', oneOf(production ? 'info' : 'warn', 'debug', 'info', 'warn', 'error')),
    metricsToken: read('METRICS_TOKEN', token),
    drainSeconds: read('DRAIN_SECONDS', whole(production ? 5 : 0, 0, 600)),
    disclosure: read('ACCOUNT_DISCLOSURE', oneOf('spec', 'neutral')),
    passwordBlocklist: read('PASSWORD_BLOCKLIST', oneOf('on', 'off')) === 'on',
    rateLimitFactor: read('RATE_LIMIT_FACTOR', whole(1, 1, 1_000_000)),
    reauthWindowMinutes: read('REAUTH_WINDOW_MINUTES', whole(10, 0, 1440)),
    allowedRedirects: read('ALLOWED_REDIRECTS', origins),
    redirectSecrets: read('REDIRECT_SECRETS', originSecrets),
    organizationsPerUser: read('MAX_ORGS_PER_USER', whole(10, 1, 100_000)),
    maxMembersPerOrg: read('MAX_MEMBERS_PER_ORG', whole(500, 1, 1_000_000)),
    sessionIdleHours: read('SESSION_IDLE_HOURS', whole(168, 1, 8760)),
    sessionAbsoluteHours: read('SESSION_ABSOLUTE_HOURS', whole(720, 1, 8760)),
    signUrl: read('SIGN_URL', url('http:', 'https:')),
    seoUrl: read('SEO_URL', url('http:', 'https:')),
    pricingUrl: read('PRICING_URL', url('http:', 'https:')),
    supportEmail: read('SUPPORT_EMAIL', mailbox),
    facebook: readProvider('FACEBOOK'),
    google: readProvider('GOOGLE'),
    googleLogin: read('GOOGLE_LOGIN', oneOf('0', '1')) === '1',
    providerPatienceMs: 5000,
    hashConcurrency: availableParallelism(),
  };
  if (config.databaseUrl && production && !config.secretKeys)
    problems.push(
      'SECRET_KEY: got nothing, takes at least 32 characters when DATABASE_URL is set in production',
    );
  if (config.rateLimitFactor !== 1 && production)
    problems.push(`RATE_LIMIT_FACTOR: got "${config.rateLimitFactor}", takes nothing but 1 in production`);
  if (problems.length > 0) throw new WrongEnvironment(problems);
  return Object.freeze(config);
}

/** Each problem names a variable, its value and the accepted values. */
export class WrongEnvironment extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads the environment once (README.md has the table); throws WrongEnvironment with all problems. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => parse(environment);
