import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { type Company, company, type Worker } from '#server/testing/company.ts';
import { deactivate } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const ORIGIN = { ip_address: '127.0.0.1', browser: 'Chrome', system: 'macOS', location: 'Malmö, Sweden' };

const app = useApp(lastingSessions);
let here: Company;
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
