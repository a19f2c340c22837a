import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const parts = ['package.json', 'contract', 'server', 'web/dist'];

/** Changes that a release may make to used tables while the previous one serves. */
const migration = `
alter table users add column drilled text;
alter table sessions add column drilled integer not null default 0;
create table drilled (id bigint constraint drilled_pkey primary key, created_at timestamptz not null);
create index if not exists activity_drilled on activity (created_at) where user_id = 0;
`;

export function makeNextRelease(folder: string): string {
  for (const part of parts.filter((name) => existsSync(path.join(root, name))))
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'server/db/migrations/9999_drill.sql'), migration);
  return path.join(folder, 'server/main.ts');
}
