import { spawn } from 'node:child_process';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { founder, newEmail } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { findProgram } from '#server/testing/programs.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

/** Starts a dnsmasq that answers for `.example`; this process asks it until the test ends. */
async function startDnsmasq(texts: readonly string[]) {
  const port = await freePort();
  const child = spawn(
    findProgram('dnsmasq') ?? 'dnsmasq',
    [
      '--keep-in-foreground',
      '--conf-file=/dev/null',
      '--no-resolv',
      '--no-hosts',
      '--pid-file=',
      `--port=${port}`,
      '--listen-address=127.0.0.1',
      '--bind-interfaces',
      '--log-facility=-',
      '--local=/example/',
      ...texts.map((text) => `--txt-record=${text}`),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const { promise: isUp, resolve, reject } = Promise.withResolvers<void>();
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => text.includes('started') && resolve())
    .once('close', () => reject(new Error('dnsmasq did not start')));
  await isUp;
  const former = getServers();
  setServers([`127.0.0.1:${port}`]);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  onTestFinished(async () => {
    setServers(former);
    await stop();
  });
  return stop;
}

test('a domain is proven by what a real name server answers', async () => {
  const { orgId, visitor } = await founder(app);
  const domain = newEmail('x').replace(/@.*$/, '.example');
  type Added = { readonly id: number; readonly record_name: string; readonly record_value: string };
  const {
    id,
    record_name: name,
    record_value: value,
  } = responseOf<Added>(await visitor.post('/api/orgs/domains', { org_id: orgId, domain }));
  const check = async () =>
    responseOf<{ found: string }>(
      await visitor.post('/api/orgs/domains/check', { org_id: orgId, domain_id: id }),
    ).found;
  const others = Array.from({ length: 12 }, (_, at) => `${name},${`other-${at}-`.repeat(25)}`);
  const answers = [];
  for (const texts of [
    [],
    others,
    [...others, `${name},${value.slice(0, 20)},${value.slice(20)}`, ...others],
  ]) {
    const stop = await startDnsmasq(texts);
    answers.push(await check());
    await stop();
    answers.push(await check());
  }
  expect(answers).toEqual(['missing', 'silent', 'other', 'silent', 'proven', 'silent']);
});
