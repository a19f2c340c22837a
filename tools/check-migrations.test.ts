import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrationProblems } from './check-migrations.ts';

const folder = path.join(import.meta.dirname, '../server/db/migrations');

test('every migration after the first is compatible with older processes', () => {
  const [, ...files] = readdirSync(folder).toSorted();
  const problemsOf = (name: string) => migrationProblems(name, readFileSync(path.join(folder, name), 'utf8'));
  expect(files.flatMap(problemsOf)).toEqual([]);
});

describe('compatible statements', () => {
  test.each([
    'create table notes (id bigint not null, text text not null unique); create index notes_idx on notes (text);',
    'create table a (id int); insert into a values (1); alter table a add column b int not null;',
    'alter table users add column nickname text;',
    "alter table users add column kind text not null default 'person', add column seen boolean default false;",
    'alter table users add column since timestamptz not null default now();',
    'alter table users add column boss bigint constraint users_boss_fkey references users on delete set null;',
    'alter table users add constraint users_short check (length(nickname) < 9) not valid;',
    'alter table users validate constraint users_short;',
    'alter table users drop constraint users_short; alter table users alter column nickname drop not null;',
    'create index if not exists users_nickname_idx on users (nickname);',
    'drop index users_nickname_idx;',
    'create or replace function f() returns trigger language plpgsql as $$ begin delete from users; end $$;',
    "-- drop table users;\ncomment on column users.nickname is 'so called; rename at will';",
    '-- needs 0016\nalter table users drop column nickname; drop table notes;',
    '-- needs 0016\nalter table users rename column a to b; alter table users alter column a set not null;',
  ])('%s', (text) => expect(migrationProblems('0017_next.sql', text)).toEqual([]));
});

describe('incompatible statements', () => {
  test.each([
    ['drop table users;', 'drops'],
    ['alter table users drop column nickname;', 'drops'],
    ['alter table users rename to people;', 'renames'],
    ['alter table users rename column nickname to name;', 'renames'],
    ['alter table users alter column nickname set not null;', 'asks for a value'],
    ['create unique index if not exists users_key on users (nickname);', 'refuses rows'],
    ['alter table users add constraint users_key unique (nickname);', 'refuses rows'],
    ['alter table users add column nickname text not null;', 'must have a value'],
    [
      'alter table users add column a text, add column b int not null, add column c text;',
      'must have a value',
    ],
    ['alter table users add column code text default gen_random_uuid();', 'default is computed'],
    ['alter table users add column code text unique;', 'refuses rows'],
    ['alter table users add column key text generated always as (lower(email)) stored;', 'row by row'],
    ["alter table users add column kind text default 'a' check (kind <> '');", 'reads every row'],
    ['alter table users alter column id type text;', 'makes a column anew'],
    ['alter table users add constraint users_short check (length(nickname) < 9);', 'reads every row'],
    ['alter table users add constraint users_fkey foreign key (boss) references users;', 'reads every row'],
    ['create index users_nickname_idx on users (nickname);', 'makes an index'],
    ["update users set nickname = '';", 'writes rows'],
    ['lock table users;', 'keeps everybody out'],
    ['-- needs 0016\nupdate users set nickname = null;', 'writes rows'],
    ['-- needs 0016\ncreate index users_nickname_idx on users (nickname);', 'makes an index'],
    ['-- needs 0017\nalter table users drop column nickname;', 'no earlier migration'],
  ])('%s', (text, problem) => {
    const problems = migrationProblems('0017_next.sql', text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});
