import { beforeAll, describe, expect, test } from 'vitest';
import { markFound } from '#contract/members/search-marks.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { type Boss, founder, rolesOf } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Member = { first_name: string; last_name: string; email: string };
type Page = { members: Member[]; next: string | null; total: number };

let boss: Boss;

const anna = 'Anna-Lena van der Berg';
const sian = 'Siân O’Réilly';
const ivan = 'Иван Петров-Жан';
const kim = '김 민준';
const ahmad = 'أحمد الفتـى';
const duck = '100% sure_ Mc\\Duck';
const people: Record<string, string> = {
  [anna]: 'first-part_2+backup@mail.fabrikam.test',
  [sian]: "sian.o'reilly@mail.fabrikam.test",
  [ivan]: 'q.1@mail.fabrikam.test',
  [kim]: 'q.2@mail.fabrikam.test',
  [duck]: 'sales@xn--bcher-kva.test',
  [ahmad]: 'q.5@adatum.test',
  'Ødegård Strauß': 'q.4@adatum.test',
  'Anna Strauss': 'fabrikam.test@adatum.test',
};
const mail = [anna, sian, ivan, kim];

async function join({ orgId, visitor }: Boss, [first_name, ...rest]: string[], email: string) {
  const { sql } = app.deps;
  const user = sql.insertInto('users').values({ email, created_at: app.clock.now() }).returning('id');
  const { id } = await user.executeTakeFirstOrThrow();
  const role_id = (await rolesOf({ orgId, visitor } as Boss))['Admin'] as RoleId;
  const created_at = app.clock.now();
  const org_id = orgId as OrgId;
  const member = {
    org_id,
    user_id: id,
    role_id,
    status: 2,
    first_name: first_name ?? '',
    created_at,
  } as const;
  await sql
    .insertInto('memberships')
    .values({ ...member, last_name: rest.join(' ') })
    .execute();
  return id;
}

const app = useApp();
beforeAll(async () => {
  boss = await founder(app);
  for (const [name, email] of Object.entries(people))
    await join(boss, name === duck ? ['100% sure_', 'Mc\\Duck'] : name.split(' '), email);
  await join(await founder(app, 'Other'), ['Anna', 'Berg'], 'anna@mail.fabrikam.test');
});

async function list(search: string, query: object = {}) {
  const params = new URLSearchParams({ org_id: String(boss.orgId), search, ...query });
  return responseOf<Page>(await boss.visitor.get(`/api/orgusers?${params.toString()}`));
}
const memberName = ({ first_name, last_name }: Member) => `${first_name} ${last_name}`.trim();

const searches: [search: string, names: string[]][] = [
  ['van', [anna]],
  ['der berg', [anna]],
  ['berg anna', [anna]],
  ['"Anna-Lena van der Berg" <first-part_2+backup@mail.fabrikam.test>', [anna]],
  ['berg anton', []],
  ['erg', []],
  ['lena', [anna]],
  ['anna', [anna, 'Anna Strauss']],
  ['reilly', [sian]],
  ['o’re', [sian]],
  ['si\u0061\u0302n', [sian]],
  ['жан', [ivan]],
  ['김', [kim]],
  ['احمد الفتي', [ahmad]],
  ['أَحْمَد', [ahmad]],
  ['odegard', ['Ødegård Strauß']],
  ['strauß', ['Ødegård Strauß', 'Anna Strauss']],
  ['fabrikam.test', [...mail, 'Anna Strauss']],
  ['@fabrikam.test', []],
  ['@mail.fabrikam.test', mail],
  ['.fabrikam', [...mail, 'Anna Strauss']],
  ['abrikam', []],
  ['backup', [anna]],
  ['first-part_2+backup@mail.fabrikam.test', [anna]],
  ['lena fabrikam', [anna]],
  ['q.2@', [kim]],
  ['bücher.test', [duck]],
  ['bücher', [duck]],
  ['bucher', []],
  ['sales@BÜCHER.test', [duck]],
  ['100%', [duck]],
  ['sure_', [duck]],
  ['%', []],
  ['_', []],
  ["'", []],
  ["' | 'berg':*", []],
  ['& | ! ( ) <->', []],
  ['\\', []],
];

describe('each word begins a word of the name or a part of the address', () => {
  test.each(searches)('%j', async (search, names) => {
    const page = await list(search);
    expect(page.members.map(memberName)).toEqual(names);
    expect(page.total).toBe(names.length);
    const sorted = await list(search, { sort: 'name', status: 2 });
    expect(sorted.members.map(memberName).toSorted()).toEqual(names.toSorted());
  });
});

describe('the page marks matches', () => {
  const marks = (text: string, search: string) =>
    markFound(text, search).flatMap((part) => (part.isMark ? [part.text] : []));

  test.each(searches.filter(([search]) => !/bücher/i.test(search)))(
    '%j: marks every searched word in matching members, and not all of them in others',
    (search, names) => {
      const words = search.split(/[\s,;()<>"]+/).filter(Boolean);
      const all = Object.entries(people);
      for (const text of all.flat())
        expect(
          markFound(text, search)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      const isMarked = (texts: string[]) =>
        words.length > 0 && words.every((word) => texts.some((text) => marks(text, word).length > 0));
      expect(all.filter(isMarked).map(([name]) => name)).toEqual(names);
    },
  );

  test.each([
    ['Anna van der Berg', 'berg', ['Berg']],
    ['Ange\u0301la', 'angela', ['Ange\u0301la']],
    ['Ange\u0301la', 'ange', ['Ange\u0301']],
    ['Strauß', 'straus', ['Strauß']],
    ['Ægir Œuf', 'ae oe', ['Æ', 'Œ']],
    ['Ｊｏ Ｂｅｒｇ', 'be', ['Ｂｅ']],
    ['김 민준', '미', ['민']],
    ['Ὀδυσσεύς', 'ΟΔΥΣΣΕΥΣ', ['Ὀδυσσεύς']],
    ['İnci', 'inci', ['İnci']],
    ['𝔄nna 𝔄', 'an', ['𝔄n']],
    ['anna.berg@mail.example.com', 'example.com', ['example.com']],
    ['anna.berg@example.com', '@example.com', ['@example.com']],
    ['anna@anna.test', 'anna', ['anna', 'anna']],
    ['Annabel', 'ann anna', ['Anna']],
    ['Johanna', 'anna', []],
    ['', 'anna', []],
    ['Anna', '', []],
  ])('%j for %j', (text, search, marked) => {
    expect(marks(text, search)).toEqual(marked);
  });
});

test('a member who joins, is renamed or gets another address is found by the new words alone', async () => {
  const id = await join(boss, ['Zoë', 'Van Tilburg'], 'zoe@adatum.test');
  expect((await list('tilburg')).total).toBe(1);
  const { sql } = app.deps;
  await sql.updateTable('memberships').set({ last_name: 'Van Delft' }).where('user_id', '=', id).execute();
  await sql.updateTable('users').set({ email: 'z@tailspin.test' }).where('id', '=', id).execute();
  expect((await list('tilburg')).total).toBe(0);
  expect((await list('delft tailspin')).total).toBe(1);
  await sql.deleteFrom('users').where('id', '=', id).execute();
  expect((await list('delft')).total).toBe(0);
});
