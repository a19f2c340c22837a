import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './ports.ts';
import { ProviderBrowser } from './provider-browser.ts';
import { SOCIAL_CLIENT } from './providers.ts';

const DATA = '/var/lib/lemonldap-ng';
const PORTAL = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi';
/** The domain of the people whom its demonstration mode knows; their passwords are their names. */
export const LEMONLDAP_DOMAIN = 'badwolf.org';

/** Starts a LemonLDAP::NG, an OpenID Provider in Perl, as Debian sets it up, that knows the portal as a client. */
export async function startLemonldap(redirectUrl: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-lemonldap-'));
  for (const name of ['conf', 'cache', 'sessions/lock', 'psessions/lock'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const shipped = (file: string) => readFileSync(file, 'utf8').replaceAll(DATA, folder);
  const settings = path.join(folder, 'settings.ini');
  writeFileSync(settings, shipped('/etc/lemonldap-ng/lemonldap-ng.ini'));
  const port = await freePort();
  const issuer = `http://localhost:${port}/`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client = {
    ClientID: SOCIAL_CLIENT.id,
    ClientSecret: SOCIAL_CLIENT.secret,
    RedirectUris: redirectUrl,
    IDTokenSignAlg: 'RS256',
  };
  const configuration = {
    ...(JSON.parse(shipped(`${DATA}/conf/lmConf-1.json`)) as object),
    portal: issuer,
    domain: 'localhost',
    // It sends no mails.
    portalDisplayRegister: 0,
    portalDisplayResetPassword: 0,
    issuerDBOpenIDConnectActivation: 1,
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcServiceKeyIdSig: 'one',
    oidcRPMetaDataOptions: {
      portico: Object.fromEntries(
        Object.entries(client).map(([name, value]) => [`oidcRPMetaDataOptions${name}`, value]),
      ),
    },
    oidcRPMetaDataExportedVars: { portico: { email: 'mail', name: 'cn' } },
  };
  writeFileSync(path.join(folder, 'conf/lmConf-1.json'), JSON.stringify(configuration));
  const child = spawn('plackup', ['--host', '127.0.0.1', '--port', String(port), PORTAL], {
    env: { ...process.env, LLNG_DEFAULTCONFFILE: settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { promise: isUp, resolve, reject } = Promise.withResolvers<void>();
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => text.includes('Accepting connections') && resolve())
    .once('close', () => reject(new Error('LemonLDAP::NG did not start')));
  await isUp;
  return {
    issuer,
    clientId: SOCIAL_CLIENT.id,
    secret: SOCIAL_CLIENT.secret,
    browser: () => new ProviderBrowser(issuer),
    /** Goes on, filling in the forms of its pages, until it leads back to the portal. */
    async goOn(browser: ProviderBrowser, from: URL, typed: object): Promise<URL> {
      let response = await browser.request('GET', from.href);
      for (let pages = 0; !response.headers.has('location') && pages < 3; pages += 1) {
        const page = await response.text();
        const hidden = [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        const fields = hidden.map(([, name = '', value = '']) => [name, value]);
        const form = new URLSearchParams([...fields, ...Object.entries(typed)]);
        response = await browser.request('POST', response.url, form);
      }
      return new URL(response.headers.get('location') ?? '', from);
    },
    async close() {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}
