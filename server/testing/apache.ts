import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeExample } from '#server/testing/documented.ts';

const PROGRAM = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';

/** Whether Debian's Apache with mod_auth_openidc is installed: a certified client that nobody here wrote. */
export const hasApache = () => existsSync(PROGRAM) && existsSync(path.join(MODULES, 'mod_auth_openidc.so'));

/** Long enough for a machine under full load. */
const START_LIMIT_MS = 50_000;

type Registration = { readonly clientId: string; readonly secret: string };

export async function startApache(portalUrl: string, port: number, { clientId, secret }: Registration) {
  const url = `http://localhost:${port}`;
  const example = writeExample('app.conf', {
    'https://accounts.example.com': portalUrl,
    'https://app.example.com': url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: secret,
    COOKIE_SECRET: 'a-cookie-secret-of-32-characters',
  });
  const page = writeExample(
    'index.html',
    { 'https%3A%2F%2Fapp.example.com': encodeURIComponent(url) },
    'Apache',
  );
  const { folder } = example;
  writeFileSync(path.join(folder, 'signed-out.html'), 'You are signed out.\n');
  writeFileSync(path.join(folder, 'index.html'), page.text);
  page.remove();
  writeFileSync(path.join(folder, 'apache.conf'), around(folder, port));
  const child = spawn(PROGRAM, ['-X', '-f', path.join(folder, 'apache.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const stop = async () => {
    const exit = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exit;
    example.remove();
  };
  const answers = () =>
    fetch(`${url}/signed-out.html`).then(
      () => true,
      () => false,
    );
  for (const giveUpAt = Date.now() + START_LIMIT_MS; !(await answers()); await pause(20)) {
    if (child.exitCode === null && Date.now() < giveUpAt) continue;
    await stop();
    throw new Error(`Apache did not start: ${errors}`);
  }
  return { url, stop };
}

const modules = 'mpm_prefork authn_core authz_core authz_user auth_openidc dir include mime'.split(' ');

/** A server around the documented configuration, in one process on loopback. */
const around = (folder: string, port: number) => `
${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/errors
DocumentRoot ${folder}
DirectoryIndex index.html
TypesConfig /etc/mime.types
OIDCInfoHook access_token
KeepAlive Off
Include ${folder}/app.conf
`;
