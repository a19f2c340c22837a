import { createServer } from 'node:http';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { demandFolders, failedToListen, openInstallation, operatorMessage } from './open.ts';

const nowhere = 'postgres://127.0.0.1:9/none';
const open = async (environment: Record<string, string>) => {
  const config = readConfig({ DATA_DIR: '/tmp', DATABASE_URL: nowhere, ...environment });
  demandFolders(config);
  return openInstallation(config, pino({ level: 'silent' }));
};
const listen = (host: string) =>
  new Promise((_, fail) =>
    createServer()
      .once('error', (error) => fail(failedToListen(error)))
      .listen(1024, host),
  );

test.for([
  ['HOST or PORT', () => listen('nosuch.invalid')],
  ['DATABASE_URL', () => open({})],
  ['DATABASE_URL', () => open({ DATABASE_URL: 'postgres://nosuch.invalid/none' })],
  ['DATA_DIR', () => open({ DATA_DIR: import.meta.filename })],
  // PGlite throws this on a full disk.
  ['DATA_DIR', () => Promise.reject(Object.assign(new Error(''), { name: 'ErrnoError', errno: 51 }))],
  ['STORAGE_URL', () => open({ STORAGE_URL: `file:${import.meta.filename}/images` })],
] as const)('a wrong %s is reported in one line', async ([name, start]) => {
  const error = await start().catch((error: unknown) => error);
  expect(operatorMessage(error)).toMatch(new RegExp(`^${name}: can't be [^\\n]+$`));
});
