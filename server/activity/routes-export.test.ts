import { beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE, OPERATOR_ID } from '#contract/activity/calls.ts';
import { exportActivity } from './actions.ts';
import { DAY_MS } from '#server/clock.ts';
import { revealId } from '#server/opaque-ids.ts';
import { placesTaken } from '#server/testing/budgets.ts';
import { type Company, company, type Worker } from '#server/testing/company.ts';
import { type Entry, insertLogged } from '#server/testing/logged.ts';
import { deactivate } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const BATCH = 500;

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });
let here: Company;
let admin: Worker;
let member: Worker;
beforeEach(async () => {
  here = await company(app);
  [admin, member] = [await here.join('admin'), await here.join('sales')];
});

const { create, read, update } = ACTION;
const { organization, profile } = MODULE;
const { auditLog, profileInformation: own, roleInformation: role } = ACTIVITY_TYPE;

type Query = Record<string, string | number>;
const pathOf = (query: Query, orgId: number | null = here.orgId) => {
  const parameters = { format: 'csv', ...(orgId !== null && { org_id: orgId }), ...query };
  return `/api/auditlogs/export?${new URLSearchParams(parameters as unknown as Record<string, string>).toString()}`;
};
const take = (by: Worker, query: Query = {}, orgId?: number | null) =>
  by.visitor.request('GET', pathOf(query, orgId));

/** Parses strict RFC 4180: every field is quoted, lines end with CR LF, and nothing is left over. */
function strictCsv(text: string, separator: ',' | ';' = ','): Record<string, string>[] {
  const field = new RegExp(String.raw`"((?:[^"]|"")*)"(${separator}|\r\n)`, 'y');
  const lines: string[][] = [[]];
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (!found) throw new Error('no CSV');
    lines.at(-1)?.push((found[1] ?? '').replaceAll('""', '"'));
    if (found[2] === '\r\n') lines.push([]);
  }
  if (lines.pop()?.length !== 0) throw new Error('the last line has no end');
  const [head = [], ...rows] = lines;
  return rows.map((row) => {
    if (row.length !== head.length) throw new Error(`${row.length} fields under ${head.length} heads`);
    return Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']));
  });
}
const csvRows = async (...params: Parameters<typeof take>) => {
  const bytes = new Uint8Array(await (await take(...params)).arrayBuffer());
  expect(Buffer.from(bytes.slice(0, 3)).toString('hex')).toBe('efbbbf');
  return strictCsv(new TextDecoder().decode(bytes));
};
type Exported = { id: number; sentence: string; information: Record<string, unknown> };
const jsonRows = async (by: Worker, query: Query = {}, orgId?: number | null) =>
  (await (await take(by, { ...query, format: 'json' }, orgId)).json()) as Exported[];
const listed = async (by: Worker, query: Query = {}) => {
  const params = new URLSearchParams({ org_id: String(here.orgId), ...(query as Record<string, string>) });
  const answer = await by.visitor.get(`/api/auditlogs?${params.toString()}`);
  return responseOf<{ audit: Exported[] }>(answer).audit;
};
const noted = async () =>
  (await listed(admin, { scope: 'mine', activity_type: auditLog })).map(({ information }) => information);

const entries = ({ orgId } = here): Entry[] => [
  { orgId, by: admin, module: organization, type: role, action: create, information: { role: 'Sales' } },
  { orgId, by: member, module: profile, type: own, action: update, information: { last_name: ['', 'Berg'] } },
  { orgId, by: member, module: organization, type: role, action: read },
  { by: member, module: MODULE.signInDevice, type: ACTIVITY_TYPE.signIn, action: create },
];
const plantAll = async () => {
  for (const entry of entries()) await insertLogged(app, entry);
};

test('a CSV file has a head line and one line per row, newest first, in words', async () => {
  await plantAll();
  const taken = await placesTaken(app, 'exportsHour');
  const rows = await csvRows(admin);
  expect(await placesTaken(app, 'exportsHour')).toBe(taken + 1);
  expect(rows.map((row) => row['What happened'])).toEqual([
    'Ann made a change',
    'Ann changed their last name',
    'Ann created the role Sales',
  ]);
  expect(rows[1]).toEqual({
    ID: expect.stringMatching(/^\d+$/) as string,
    'Time (UTC)': app.clock.now().toISOString(),
    Who: 'Ann',
    'User ID': String(member.id),
    'What happened': 'Ann changed their last name',
    Area: 'My Profile',
    About: 'Profile information',
    Action: 'Updated',
    'Record ID': '',
    Changes: 'Last name: nothing → Berg',
    'Done from': '',
  });
});

test('a CSV file is in the language of its reader, with its separator', async () => {
  await plantAll();
  admin.visitor.cookies.set('portico-language', 'de');
  const text = await (await take(admin)).text();
  expect(strictCsv(text, ';')[1]).toMatchObject({
    Wer: 'Ann',
    Aktivität: 'Ann hat im eigenen Profil „Nachname“ geändert',
    Aktion: 'Aktualisiert',
    Änderungen: 'Nachname: nichts → Berg',
  });
});

test('both files name the operator for the operator’s acts', async () => {
  const information = { role: ['Sales', 'Super Admin'], operator: 'root' };
  await insertLogged(app, {
    orgId: here.orgId,
    by: { id: OPERATOR_ID },
    type: ACTIVITY_TYPE.invitedContact,
    recordId: member.id,
    information,
  });
  const what = 'The operator changed the role of Ann from Sales to Super Admin';
  expect(await csvRows(admin)).toMatchObject([
    { Who: 'The operator', 'User ID': '0', 'What happened': what },
  ]);
  const [, row] = await jsonRows(admin);
  expect(row).toMatchObject({ user_id: OPERATOR_ID, created_by: 'The operator', sentence: what });
});

test('the answer has its own file name and type, and is not cached', async () => {
  for (const [format, type] of [
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/json'],
  ] as const) {
    const { headers, status } = await take(admin, { format });
    const day = app.clock.now().toISOString().slice(0, 10);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      type,
      `attachment; filename="activity-${day}.${format}"`,
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('a JSON file has the rows of the list, each with its sentence', async () => {
  await plantAll();
  const before = await listed(admin);
  const rows = await jsonRows(admin);
  expect(rows.map(({ sentence: _, ...row }) => row)).toEqual(before);
  expect(rows[2]?.sentence).toBe('Ann created the role Sales');
});

test('a log longer than one batch is exported completely', async () => {
  for (let count = 0; count < BATCH + 1; count += 1)
    await insertLogged(app, { orgId: here.orgId, by: admin });
  expect((await jsonRows(admin)).length).toBe(BATCH + 1);
  // The row of the first export makes it two more than a batch.
  const ids = (await csvRows(admin)).map((row) => revealId(app.deps.keys, 'activity', Number(row['ID'])));
  expect(ids).toHaveLength(BATCH + 2);
  expect(new Set(ids).size).toBe(BATCH + 2);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

test('no text of a person is read as a formula, breaks a line or hides others', async () => {
  const name = '=HYPERLINK("http://evil.example")\r\n\u202E,x';
  const shown = `'=HYPERLINK("http://evil.example")\\u000d\\u000a\\u202e,x`;
  await updateRows(app, 'memberships', { user_id: member.id }, { first_name: name });
  await insertLogged(app, { orgId: here.orgId, by: member, information: { last_name: ['@a', '+b'] } });
  const [row] = await csvRows(admin);
  expect(row?.['Who']).toBe(shown);
  expect(row?.['What happened']).toBe(`${shown} changed their last name`);
  const text = await (await take(admin, { format: 'json', user_id: member.id })).text();
  expect(text).not.toContain('\u202E');
  expect((JSON.parse(text) as { created_by: string }[])[0]?.created_by).toBe(name);
});

describe('an export writes a row in the log', () => {
  test('with its parameters, before the first byte, and not in its own file', async () => {
    await plantAll();
    const params = { module: organization, from: '2020-01-01T00:00:00.000Z', user_id: member.id };
    const rows = await jsonRows(admin, params);
    expect(rows.map(({ sentence }) => sentence)).toEqual(['Ann made a change']);
    expect(await noted()).toEqual([{ format: 'json', scope: 'organization', ...params }]);
  });

  test('and is not sent if that fails', async () => {
    const noTime = { ...app.deps, clock: { now: () => new Date(Number.NaN) } };
    const reader = { userId: admin.id, scope: { orgId: here.orgId, rank: 'admin' as const } };
    await expect(exportActivity(noTime, reader, { format: 'csv' } as never)).rejects.toThrow('Invalid time');
  });
});

describe('where an act was done', () => {
  const CHROME =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  const ORIGIN = { ip_address: '127.0.0.1', browser: 'Chrome', system: 'macOS', location: 'Malmö, Sweden' };
  let maya: Worker;
  beforeEach(async () => {
    here = await company(app);
    maya = await here.join('superAdmin');
    await sessionOf(maya, { location: 'Malmö, Sweden' });
  });

  const sessionOf = ({ id }: Worker, change: { location?: string; ip_address?: string }) =>
    updateRows(app, 'sessions', { user_id: id }, change);
  const put = async ({ visitor }: Worker, path: string, body: object) =>
    responseOf(await visitor.send('PUT', path, { headers: { 'user-agent': CHROME }, body }));
  const describeOrganization = (by: Worker) =>
    put(by, '/api/orgs', { org_id: here.orgId, description: 'Tea and spices' });
  type Row = { origin?: typeof ORIGIN };
  const newest = async (reader: Worker) => {
    const answer = await reader.visitor.get(`/api/auditlogs?org_id=${here.orgId}&limit=1`);
    return responseOf<{ audit: Row[] }>(answer).audit[0]?.origin;
  };
  const stored = ({ id }: { id: number }) => listRows(app, 'activity_origins', ['location'], { user_id: id });

  describe('the client of an act', () => {
    test('is shown to the actor, and to Super Admins if the act changed the organization', async () => {
      await describeOrganization(maya);
      const [otto, admin] = [await here.join('superAdmin'), await here.join('admin')];
      expect(await newest(maya)).toEqual(ORIGIN);
      expect(await newest(otto)).toEqual(ORIGIN);
      expect(await newest(admin)).toBeUndefined();
    });

    test('is the same in an exported file as on the page', async () => {
      await describeOrganization(maya);
      const file = async (by: Worker) => {
        const answer = await by.visitor.request(
          'GET',
          `/api/auditlogs/export?format=csv&org_id=${here.orgId}&module=1`,
        );
        return answer.text();
      };
      expect(await file(maya)).toContain('"Chrome on macOS, Malmö, Sweden, 127.0.0.1"');
      expect(await file(await here.join('admin'))).not.toContain('Malmö');
    });

    test('has no location if the IP address is not that of the sign-in', async () => {
      await sessionOf(maya, { ip_address: '203.0.113.7' });
      await describeOrganization(maya);
      expect(await newest(maya)).toEqual({ ...ORIGIN, location: 'Unknown' });
    });

    test('is deleted with the actor, and the row of the act stays', async () => {
      await here.join('superAdmin');
      await describeOrganization(maya);
      expect(await stored(maya)).toHaveLength(1);
      await deactivate(app, maya);
      app.clock.forward(60 * DAY_MS);
      await app.mails();
      expect(await stored(maya)).toEqual([]);
      const texts = await listRows(app, 'activity', ['information'], { user_id: maya.id, module: 1 });
      expect(texts).toEqual([{ information: { description: ['', 'Tea and spices'] } }]);
    });
  });
});

test('a batch is read only once it is needed, and none after the client has stopped', async () => {
  for (let count = 0; count < 2 * BATCH + 1; count += 1)
    await insertLogged(app, { orgId: here.orgId, by: admin });
  let queries = 0;
  const sql = app.deps.sql.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  });
  const reader = { userId: admin.id, scope: { orgId: here.orgId, rank: 'admin' as const } };
  const file = await exportActivity({ ...app.deps, sql }, reader, { format: 'csv' } as never);
  if (!('content' in file)) throw new Error('refused');
  const taking = file.content[Symbol.asyncIterator]();
  const cost = async () => {
    const before = queries;
    await taking.next();
    return queries - before;
  };
  expect(await cost()).toBe(0);
  // First the names of the batch that was already read, then a batch and its names.
  expect(await cost()).toBe(1);
  expect(await cost()).toBe(3);
  const before = queries;
  await taking.return?.();
  expect((await taking.next()).done).toBe(true);
  expect(queries).toBe(before);
});
