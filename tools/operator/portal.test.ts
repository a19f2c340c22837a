import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openLocalSocket } from '#server/http/local-socket.ts';
import { release } from '#server/local-address.ts';
import { newDataDir, patient, startPortal } from '#server/testing/portal.ts';
import { operate } from './command.ts';
import { askPortal } from './portal.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
afterEach(() => vi.restoreAllMocks());

function folder(name = '.') {
  const root = newDataDir();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dataDir = path.join(root, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return dataDir;
}
const configOf = (dataDir: string, more: object = {}) => readConfig({ DATA_DIR: dataDir, ...more });
/** A socket that answers with its name. */
const socket = async (dataDir: string, name: string) =>
  openLocalSocket(configOf(dataDir), log, async () => ({ lines: [name], data: null }));
const ask = (dataDir: string, more: object = {}) =>
  askPortal(configOf(dataDir, more), { name: 'jobs', input: {}, operator: 'root' });
const lines = async (dataDir: string) => {
  const answer = await ask(dataDir);
  return answer && 'lines' in answer ? answer.lines : answer;
};

describe('the socket of operators (M14)', () => {
  test('has mode 0600, as its token, and is gone with its portal', async () => {
    const dataDir = folder();
    const close = await socket(dataDir, 'here');
    for (const name of ['operator.sock', 'operator.token'])
      expect([name, statSync(path.join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(await lines(dataDir)).toEqual(['here']);
    await close(0);
    expect(await ask(dataDir)).toBeUndefined();
  });

  test('refuses a token of another start', async () => {
    const dataDir = folder();
    await socket(dataDir, 'here');
    writeFileSync(path.join(dataDir, 'operator.token'), 'guessed');
    expect(await ask(dataDir)).toEqual({
      refused: 'The token in DATA_DIR is not the one of the portal that runs there.',
    });
  });

  test('is not asked if another user has made it', async () => {
    const dataDir = folder();
    await socket(dataDir, 'here');
    vi.spyOn(process, 'getuid').mockReturnValue(4711);
    await expect(ask(dataDir)).rejects.toThrow('belongs to another user');
  });

  test('refuses the command of another release, and one for another database', async () => {
    const dataDir = folder();
    await socket(dataDir, 'here');
    expect(await ask(dataDir, { DATABASE_URL: 'postgres://a:secret@db.example/portico' })).toEqual({
      refused: 'The portal in DATA_DIR uses the embedded database, DATABASE_URL another one.',
    });
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const authorization = `Bearer ${readFileSync(path.join(dataDir, 'operator.token'), 'utf8')}`;
    const socketPath = path.join(dataDir, 'operator.sock');
    request({ socketPath, method: 'POST', headers: { authorization, release: '9.9.9' } }, resolve).end('{}');
    expect(await json(await promise)).toEqual({
      refused: `The portal is of release ${release}, this command of 9.9.9: use the command of that release.`,
    });
  });

  test('is served by the latest of several processes in one folder', async () => {
    const dataDir = folder();
    const closeFirst = await socket(dataDir, 'first');
    const closeSecond = await socket(dataDir, 'second');
    expect(await lines(dataDir)).toEqual(['second']);
    await closeFirst(0);
    expect(await lines(dataDir)).toEqual(['second']);
    await closeSecond(0);
    expect(existsSync(path.join(dataDir, 'operator.sock'))).toBe(false);
  });

  test('works below a path that is longer than its address may be', async () => {
    const dataDir = folder(`${'long'.repeat(20)}/${'path'.repeat(20)}`);
    const close = await socket(dataDir, 'far');
    expect(await lines(dataDir)).toEqual(['far']);
    await close(0);
    expect(await ask(dataDir)).toBeUndefined();
  });

  test('is left out with a warning where a folder takes none', async () => {
    const warn = vi.fn<(fields: object, message: string) => void>();
    const close = await openLocalSocket(configOf('/nowhere'), { ...log, warn }, async () => ({}));
    await close(0);
    expect(warn).toHaveBeenCalledWith(
      { reason: expect.stringContaining('/nowhere') as string },
      expect.anything(),
    );
  });

  test('tells nothing of a fault but that there was one', async () => {
    const dataDir = folder();
    await openLocalSocket(configOf(dataDir), log, () => Promise.reject(new Error('secret')));
    expect(await ask(dataDir)).toEqual({ refused: 'The portal failed at it. Its log has the reason.' });
  });
});

test(
  'commands work beside a portal, under writes and after kill -9, and a backup has every row acknowledged before it',
  patient,
  async () => {
    const dataDir = newDataDir();
    const run = async (args: string[], to = dataDir) => {
      const { code, out, errors } = await operate(args, { DATA_DIR: to, INIT_CWD: '/' });
      if (code !== 0) throw new Error(`${args.join(' ')}: ${errors}${out}`);
      return out;
    };
    const urlOf = (number: number) => `https://sign.example/${number}`;
    let count = 0;
    const add = async () => {
      await run(['webhooks', 'add', urlOf(count)]);
      count += 1;
    };
    const backedUp = async (name: string) => {
      const before = count;
      const file = path.join(dataDir, `${name}.tar.gz`);
      await run(['backup', file]);
      const fresh = newDataDir();
      onTestFinished(() => rmSync(fresh, { recursive: true, force: true }));
      await run(['restore', file], fresh);
      const list = await run(['webhooks', 'list'], fresh);
      expect(
        Array.from({ length: before }, (_, at) => at).filter((at) => !list.includes(`${urlOf(at)}  on`)),
      ).toEqual([]);
      expect(await run(['verify'], fresh)).toBe('The log is as it was written.');
    };
    const portal = await startPortal({ DATA_DIR: dataDir });
    onTestFinished(() => {
      portal.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    });
    await portal.ready();
    await add();

    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) await add();
    })();
    await vi.waitUntil(() => count > 5, 30_000);
    await backedUp('under writes');
    over.abort();
    await writing;
    expect(count).toBeGreaterThan(6);

    portal.kill('SIGKILL');
    await portal.ended;
    expect(existsSync(path.join(dataDir, 'operator.sock'))).toBe(true);
    await add();
    await backedUp('after a kill');

    const next = await startPortal({ DATA_DIR: dataDir });
    onTestFinished(() => void next.kill('SIGKILL'));
    await next.ready();
    expect(await run(['webhooks', 'list'])).toContain(`${urlOf(count - 1)}  on`);
  },
);
