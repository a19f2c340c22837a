import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '#server/testing/ports.ts';
import { behind, testProxy } from '#server/testing/proxies.ts';
import { startProgram, until } from '../processes.ts';

const shipped = readFileSync(path.join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');

/** The shipped configuration without TLS, on other ports; clients name their network in a header. */
const around = (folder: string, inner: string) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/errors;
events {}
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  set_real_ip_from 127.0.0.1;
  real_ip_header from-network;
  ${inner}
}
`;

const behindNginx = () =>
  behind(async (folder, { web, portals: [a, b] }) => {
    const inner = shipped
      .replace('127.0.0.1:3001', `127.0.0.1:${a}`)
      .replace('127.0.0.1:3002', `127.0.0.1:${b}`)
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${web}`)
      .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
      .replaceAll(/^ *(listen \[::\]|ssl_).*$/gm, '')
      .replace('/var/log/nginx/portico.log', `${folder}/requests`)
      .replaceAll('/var/log/nginx/portico-error.log', `${folder}/server-errors`);
    writeFileSync(`${folder}/nginx.conf`, around(folder, inner));
    const command = ['nginx', '-p', folder, '-e', `${folder}/errors`, '-c', `${folder}/nginx.conf`];
    const program = startProgram('nginx', command, { cwd: folder, log: `${folder}/log` });
    await until('nginx listens', 10_000, () =>
      fetch(`http://127.0.0.1:${web}/readyz`).then(
        ({ status }) => status === 404,
        () => false,
      ),
    );
    return () => program.end();
  });

testProxy(behindNginx);

test('no log contains the query of a mailed link, not even of an unanswered one', async () => {
  const { portals, folder, statusOf } = await behindNginx();
  expect(await statusOf('GET', '/resetpassword?digest=a-secret')).toBe(200);
  for (const portal of portals) portal.stop();
  expect(await statusOf('GET', '/resetpassword?digest=a-secret')).toBe(502);
  const logs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'nginx.conf')
    .map(({ name }) => readFileSync(`${folder}/${name}`, 'utf8'));
  expect(logs.join('')).toContain('/resetpassword');
  expect(logs.join('')).not.toContain('a-secret');
});

test('a network has a hundred concurrent requests, and IPv6 counts by the /64', async () => {
  const { portals, statusOf, times } = await behindNginx();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const portal of portals) portal.before = () => promise;
  const ask = (network: string) => statusOf('GET', '/api/ustat', { 'from-network': network });
  const first = Array.from({ length: 100 }, (_, nth) => ask(`2001:db8:1:1::${nth}`));
  await until('they are under way', 10_000, () => times('GET /api/ustat') === 100);
  expect(await ask('2001:db8:1:1:ffff::1')).toBe(503);
  const others = ['2001:db8:1:2::1', '192.0.2.1'].map(ask);
  await until('those are too', 10_000, () => times('GET /api/ustat') === 102);
  resolve();
  expect(await Promise.all([...first, ...others])).toEqual(Array.from({ length: 102 }, () => 200));
});
