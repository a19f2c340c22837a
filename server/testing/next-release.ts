import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const own = path.join(import.meta.dirname, '../db/migrations');
export const NEXT = '9000_next.sql';

/** The migrations of this release, and one of a made-up next release. */
export function andNext(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(own, folder, { recursive: true });
  writeFileSync(path.join(folder, NEXT), text);
  return folder;
}
