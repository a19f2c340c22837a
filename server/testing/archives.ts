import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import type { Person } from './people.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

type Files = Record<string, Uint8Array>;
export async function downloadOf(app: TestApp, { visitor }: Pick<Person, 'visitor'>, orgId?: number) {
  responseOf(await visitor.post('/api/dataexport', orgId === undefined ? {} : { org_id: orgId }));
  await app.mails();
  const query = orgId === undefined ? '' : `?org_id=${orgId}`;
  const answer = await visitor.request('GET', `/api/dataexport/file${query}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const [, fileName] = /filename="(.*)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
  return { fileName, files: unzipSync(await answer.bytes()) };
}
export const archiveOf = async (...archive: Parameters<typeof downloadOf>): Promise<Files> =>
  (await downloadOf(...archive)).files;

export const rowsIn = (files: Files, name: string) =>
  JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array())) as Record<string, unknown>[];
