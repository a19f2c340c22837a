import { isIP } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Why a reader refuses a text: what it takes, and how the message shows the text. Secrets stay hidden without a word. */
export class Takes {
  readonly what: string;
  readonly got: (text: string) => string;
  constructor(what: string, got: (text: string) => string = () => 'something else') {
    this.what = what;
    this.got = got;
  }
}
const quote = (text: string) => JSON.stringify(text.slice(0, 60));
const takes = (what: string) => new Takes(what, quote);
/** Without a user, a password and parameters. */
const takesUrl = (what: string) =>
  new Takes(what, (text) => quote(text.replace(/^[^]*@/, '…@').replace(/\?[^]*/, '?…')));

export type Read<T> = (text: string | undefined) => T | Takes;

export const whole =
  (fallback: number, least: number, most: number): Read<number> =>
  (text) => {
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : takes(`a whole number from ${least} to ${most}`);
  };

export const oneOf =
  <const T extends string>(fallback: T, ...others: T[]): Read<T> =>
  (text) => {
    const words = [...new Set([fallback, ...others])];
    return text === undefined ? fallback : (words.find((word) => word === text) ?? takes(words.join(' or ')));
  };

/** In a password, these characters end the host, or the whole address before it. */
const rawPassword = /^[a-z0-9]+:\/\/[^@/?#]*:[^@]*[/?#][^@]*@/i;
const ENCODED = 'a password with #, / and ? written as %23, %2F and %3F';

export const url =
  (...schemes: string[]): Read<URL | null> =>
  (text) => {
    if (text === undefined) return null;
    const refusal = takesUrl(`a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
    if (!URL.canParse(text)) return rawPassword.test(text) ? takesUrl(ENCODED) : refusal;
    const value = new URL(text);
    // A password that begins with digits looks like a port.
    if (!/^https?:$/.test(value.protocol) && (value.pathname + value.hash).includes('@'))
      return takesUrl(ENCODED);
    const hasHost = value.hostname !== '' || value.protocol.startsWith('postgres');
    return schemes.includes(value.protocol) && hasHost ? value : refusal;
  };

export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** A URL of an identity provider; a local fake may use plain http. */
export const providerUrl: Read<URL | null> = (text) => {
  const value = url('http:', 'https:')(text);
  if (value === null || value instanceof Takes) return value;
  if (value.username || value.password || value.hash) return takesUrl('a URL without user or fragment');
  return value.protocol === 'https:' || isLoopback(value.hostname)
    ? value
    : takesUrl('an https URL (plain http is for loopback only)');
};

/** The origin that browsers see. Cookies with the __Host- prefix and HSTS need https, except on loopback. */
export const publicOrigin =
  (port: number): Read<URL> =>
  (text) => {
    const value = url('http:', 'https:')(text ?? `http://localhost:${port}`);
    if (value === null || value instanceof Takes)
      return takesUrl('an origin such as https://accounts.example.com');
    if (value.href !== `${value.origin}/`) return takesUrl('an origin without path, query or user');
    if (value.protocol === 'http:' && !isLoopback(value.hostname))
      return takesUrl('an https origin (plain http is for loopback only)');
    return value;
  };

const isNetwork = (entry: string, ipv6BitsMax: number) => {
  const [, address = '', text] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const bitsMax = isIP(address) === 4 ? 32 : 128;
  const bits = Number(text ?? bitsMax);
  return isIP(address) > 0 && bits >= 1 && bits <= (bitsMax === 32 ? 32 : ipv6BitsMax);
};

export const networks =
  (example: string, ipv6BitsMax = 128): Read<string[]> =>
  (text) => {
    const list = (text ?? '').split(',').flatMap((entry) => entry.trim() || []);
    if (list.some((entry) => isIP(entry.replace(/\/0+$/, '')) > 0 && /\/0+$/.test(entry)))
      return takes('no network of all addresses: anybody could name any address as theirs');
    return list.every((entry) => isNetwork(entry, ipv6BitsMax))
      ? list
      : takes(`addresses or networks, comma-separated, such as ${example}`);
  };

export const origins: Read<string[]> = (text) => {
  const list = (text ?? '').split(',').flatMap((entry) => entry.trim() || []);
  return list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry)
    ? list
    : takes('origins, comma-separated, such as https://sign.example.com');
};

/** The secret with which each application's server redeems codes, by origin. */
export const originSecrets: Read<Map<string, string>> = (text) => {
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
export const secrets: Read<string[] | null> = (text) => {
  if (text === undefined) return null;
  const keys = text.split(',').map((key) => key.trim());
  return keys.every((key) => key.length >= 32) ? keys : new Takes('at least 32 characters a key');
};

export const token: Read<string | null> = (text) =>
  text === undefined || /^[\x21-\x7e]{16,}$/.test(text)
    ? (text ?? null)
    : new Takes('16 characters or more without spaces');

export const mailbox: Read<string | null> = (text) =>
  text === undefined || /^[^\s@"<>,;]+@[^\s@"<>,;]+$/.test(text) ? (text ?? null) : takes('one mail address');

export const anyText =
  (fallback: string): Read<string> =>
  (text) =>
    text ?? fallback;

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
export const storage =
  (dataDir: string): Read<{ readonly folder: string } | Bucket> =>
  (text) => {
    if (text === undefined) return { folder: path.join(dataDir, 'images') };
    const what = 'file:/a/folder or s3://KEY:SECRET@host:port/bucket?region=…&tls=…, the last 0 or 1';
    const refusal = text.startsWith('file:') ? takes(what) : new Takes(what);
    if (!URL.canParse(text)) return rawPassword.test(text) ? new Takes(ENCODED) : refusal;
    const { protocol, username, password, host, pathname, hash, searchParams } = new URL(text);
    if (protocol === 'file:')
      return /^file:\/[^?#%]+$/.test(text) && !host ? { folder: fileURLToPath(text) } : refusal;
    const [, name, folder = ''] = bucketPath.exec(pathname) ?? [];
    const { region = 'us-east-1', tls = '1', ...more } = Object.fromEntries(searchParams);
    const [keyId, secret] = [unescaped(username), unescaped(password)];
    const address = `${tls === '0' ? 'http' : 'https'}://${host}/${name}`;
    const isWhole = protocol === 's3:' && keyId && secret && name && !hash && URL.canParse(address);
    if (!isWhole || !/^[01]$/.test(tls) || !/^[\w-]+$/.test(region) || Object.keys(more).length > 0)
      return refusal;
    return { url: new URL(address), prefix: folder && `${folder.slice(1)}/`, keyId, secret, region };
  };

/** Languages that have a catalog, the default first; without a text all reviewed ones. */
export const languageNames =
  (known: readonly { tag: string; isReviewed: boolean }[]): Read<readonly string[]> =>
  (text) => {
    if (text === undefined) return known.filter(({ isReviewed }) => isReviewed).map(({ tag }) => tag);
    const names = [...new Set(text.split(',').map((name) => name.trim()))];
    const tags = known.map(({ tag }) => tag);
    return names.every((name) => tags.includes(name)) ? names : takes(`some of ${tags.join(', ')}`);
  };
