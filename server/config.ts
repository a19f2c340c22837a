import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { WIRE_NAME } from '#contract/limits.ts';
import { languages } from '#words/languages.ts';
import { misspelt } from './config-names.ts';
import {
  anyText,
  languageNames,
  mailbox,
  networks,
  oneOf,
  origins,
  originSecrets,
  providerUrl,
  publicOrigin,
  type Read,
  secrets,
  storage,
  Takes,
  token,
  url,
  whole,
} from './config-readers.ts';

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

export type Config = ReturnType<typeof parse>;

function parse(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const names = new Set<string>();
  // Containers and services pass secrets in files.
  const textOf = (name: string): string | undefined => {
    names.add(name);
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
    problems.push(`${name}: got ${value.got(text ?? '')}, takes ${value.what}`);
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
    brandDir: path.resolve(read('BRAND_DIR', anyText(path.join(dataDir, 'brand')))),
    databaseUrl: read('DATABASE_URL', url('postgres:', 'postgresql:')),
    redisUrl: read('REDIS_URL', url('redis:', 'rediss:')),
    storage: read('STORAGE_URL', storage(dataDir)),
    smtpUrl: read('SMTP_URL', url('smtp:', 'smtps:')),
    mailFrom: read('MAIL_FROM', mailbox) ?? `${WIRE_NAME}@localhost`,
    secretKeys: read('SECRET_KEY', secrets),
    trustedProxies: read('TRUSTED_PROXIES', networks('10.0.0.0/8')),
    // Limits count IPv6 clients by /64.
    knownNetworks: read('KNOWN_NETWORKS', networks('203.0.113.7, 2001:db8:1::/48', 64)),
    deskNetworks: read('DESK_NETWORKS', networks('203.0.113.7, 10.0.0.0/8')),
    languages: read('LANGUAGES', languageNames(languages)),
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
  const isGiven = (name: string) => Boolean(environment[name]?.trim() || environment[`${name}_FILE`]);
  const demand = (name: string, what: string) => {
    if (production && !isGiven(name)) problems.push(`${name}: got nothing, takes ${what} in production`);
  };
  if (config.databaseUrl) {
    demand('SECRET_KEY', 'at least 32 characters when DATABASE_URL is set');
    // Such a process would write the mails of all others into a folder of its own.
    demand('SMTP_URL', 'a mail server when DATABASE_URL is set');
  }
  if (config.smtpUrl) {
    // Receivers refuse mails of localhost, and links to it lead nowhere.
    demand('PUBLIC_URL', 'the origin that mailed links lead to when SMTP_URL is set');
    demand('MAIL_FROM', 'the address that mails come from when SMTP_URL is set');
  }
  if (config.rateLimitFactor !== 1 && production)
    problems.push(`RATE_LIMIT_FACTOR: got "${config.rateLimitFactor}", takes nothing but 1 in production`);
  const warnings = misspelt(Object.keys(environment), names);
  if (problems.length > 0) throw new WrongEnvironment([...problems, ...warnings]);
  const warn = (name: string, so: string) => {
    if (production && !isGiven(name)) warnings.push(`${name}: got nothing, so ${so}`);
  };
  warn('PUBLIC_URL', `only requests for ${config.publicUrl.origin} are answered`);
  warn('SMTP_URL', 'mails are only written to DATA_DIR/outbox');
  if (config.publicUrl.protocol === 'https:')
    warn('TRUSTED_PROXIES', 'limits count everybody behind the proxy as one client');
  return Object.freeze({ ...config, warnings });
}

/** Each problem names a variable, its value and the accepted values, or a name that is none. */
export class WrongEnvironment extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads the environment once (README.md has the table); throws WrongEnvironment with all problems. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => parse(environment);
