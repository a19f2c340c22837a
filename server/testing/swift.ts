import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/ports.ts';

// OpenStack Swift with its S3 door, as Debian packages it (swift-proxy, -account, -container, -object): a server of
// other people's that checks signatures in earnest. vitest.config.ts takes its tests in where it is installed.

const kinds = ['account', 'container', 'object'] as const;
const KEY_ID = 'test:tester';
export const SWIFT_SECRET = 'testing';

// Holds the servers until our end of standard input closes: that happens however this process ends.
const keeper = `
  for kind in proxy account container object; do
    swift-$kind-server $kind.conf -v >$kind.log 2>&1 </dev/null &
    servers="$servers $!"
  done
  cat >/dev/null
  kill $servers
  wait
  cd / && rm -rf "$FOLDER"
`;

/** Starts a Swift of one device on loopback; the URL is one that STORAGE_URL takes, with its bucket made. */
export async function startSwift() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-swift-'));
  mkdirSync(path.join(folder, 'devices/one'), { recursive: true });
  const ports = {
    proxy: await freePort(),
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
  };
  writeFileSync(path.join(folder, 'proxy.conf'), proxyConfig(folder, ports.proxy));
  for (const kind of kinds)
    writeFileSync(path.join(folder, `${kind}.conf`), serverConfig(folder, kind, ports[kind]));
  await run(folder, '/usr/bin/python3', '-c', makeRings, ...kinds.map((kind) => `${kind}:${ports[kind]}`));
  const servers = spawn('sh', ['-c', keeper], {
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  await answering(`http://127.0.0.1:${ports.proxy}/healthcheck`, folder);
  return {
    url: (keyId = KEY_ID, secret = SWIFT_SECRET) =>
      `s3://${encodeURIComponent(keyId)}:${secret}@127.0.0.1:${ports.proxy}/pictures?tls=0`,
    stop: async () => {
      const ended = once(servers, 'exit');
      servers.stdin.end();
      await ended;
    },
  };
}

/** Which device holds what: all of it the only one. One run of Python is quicker than nine of swift-ring-builder. */
const makeRings = `
import sys
from swift.common.ring import RingBuilder
for kind, port in (each.split(':') for each in sys.argv[1:]):
    ring = RingBuilder(1, 1, 0)
    ring.add_dev(dict(id=0, region=1, zone=1, ip='127.0.0.1', port=int(port), device='one', weight=1))
    ring.rebalance()
    ring.get_ring().save(kind + '.ring.gz')
`;

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
`;

const serverConfig = (folder: string, kind: (typeof kinds)[number], port: number) => `${common(folder, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

const proxyConfig = (folder: string, port: number) => `${common(folder, port)}
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
user_test_tester = ${SWIFT_SECRET} .admin
`;

async function run(cwd: string, program: string, ...args: string[]) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

async function answering(url: string, folder: string) {
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; await pause(100)) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`Swift did not answer: ${readFileSync(path.join(folder, 'proxy.log'), 'utf8')}`);
}
