import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '#server/config.ts';
import type { Bucket } from '#server/config-readers.ts';
import { signed } from '#server/storage/signature.ts';
import { freePort } from './ports.ts';

// OpenStack Swift with its S3 API, from Debian's packages (swift-proxy, -account, -container, -object): a
// third-party server that really verifies signatures.

/** Debian's own Python, which finds Swift. */
const PYTHON = '/usr/bin/python3';
/** Whether Swift is installed. A function, because the checks may install it first. */
export const hasSwift = () => existsSync(PYTHON) && existsSync('/usr/lib/python3/dist-packages/swift/proxy');

const KEY_ID = 'test:tester';
const SECRET = 'testing';
/** Long enough for a machine under full load. */
const START_LIMIT_MS = 110_000;

/** Starts an OpenStack Swift server with one device on loopback and an empty bucket; `url` returns a valid STORAGE_URL. */
export async function startSwift() {
  if (!hasSwift()) throw new Error('Swift is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-swift-'));
  mkdirSync(path.join(folder, 'one'));
  const ports = await Promise.all(['proxy', 'account', 'container', 'object'].map(freePort));
  for (const name of ['account', 'container', 'object'])
    writeFileSync(path.join(folder, `${name}.conf`), serverConfig(folder, name));
  writeFileSync(path.join(folder, 'proxy.conf'), proxyConfig(folder));
  const server = spawn(PYTHON, ['-c', servers, ...ports.map(String)], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const stop = async () => {
    const exit = server.exitCode === null ? once(server, 'exit') : undefined;
    server.stdin.end();
    await exit;
    rmSync(folder, { recursive: true });
  };
  for (const giveUpAt = Date.now() + START_LIMIT_MS; !(await answers(ports[0])); await pause(100)) {
    if (server.exitCode === null && Date.now() < giveUpAt) continue;
    await stop();
    throw new Error(`Swift did not start: ${errors}`);
  }
  const url = (keyId = KEY_ID, secret = SECRET) =>
    `s3://${encodeURIComponent(keyId)}:${secret}@127.0.0.1:${ports[0]}/pictures?tls=0`;
  try {
    await makeBucket(readConfig({ STORAGE_URL: url() }).storage as Bucket);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function makeBucket(bucket: Bucket) {
  const headers = signed('PUT', bucket.url, new Uint8Array(), bucket, new Date());
  const response = await fetch(bucket.url, { method: 'PUT', headers });
  if (!response.ok) throw new Error(`the bucket was not made: ${response.status}`);
}

const answers = (port = 0) =>
  fetch(`http://127.0.0.1:${port}/healthcheck`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Runs the four servers in one process, which ends when its standard input closes, however the parent ends.
 */
const servers = `
import sys
from swift.common.utils import eventlet_monkey_patch
eventlet_monkey_patch()
import eventlet, eventlet.wsgi, os
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp
ports = dict(zip(('proxy', 'account', 'container', 'object'), map(int, sys.argv[1:])))
for name in ('account', 'container', 'object'):
    ring = RingBuilder(1, 1, 0)
    ring.add_dev(dict(id=0, region=1, zone=1, ip='127.0.0.1', port=ports[name], device='one', weight=1))
    ring.rebalance()
    ring.get_ring().save(name + '.ring.gz')
for name, port in ports.items():
    app = loadapp(os.path.abspath(name + '.conf'), global_conf={})
    eventlet.spawn(eventlet.wsgi.server, eventlet.listen(('127.0.0.1', port)), app, log_output=False)
while eventlet.tpool.execute(sys.stdin.read, 1): pass
`;

const serverConfig = (folder: string, name: string) => `[DEFAULT]
swift_dir = ${folder}
devices = ${folder}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;

const proxyConfig = (folder: string) => `[DEFAULT]
swift_dir = ${folder}
[pipeline:main]
pipeline = healthcheck cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET} .admin
`;
