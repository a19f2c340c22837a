import { expect, test } from 'vitest';
import { APPLICATIONS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import { company } from '#server/testing/company.ts';
import { browserAt, RACE_TIMEOUT, roundsOr, tally, together, usePair } from '#server/testing/races.ts';
import { listRows } from '#server/testing/rows.ts';

const pair = usePair({ LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' });

const books = {
  name: 'Books',
  kind: 'web',
  description: '',
  start_url: '',
  redirect_urls: ['https://books.example/callback'],
  signed_out_urls: [],
  sign_out_url: '',
  is_for_everyone: 1,
  role_ids: [],
};

test('registrations at once never exceed the limit', RACE_TIMEOUT, async () => {
  for (let round = 0; round < roundsOr(5); round += 1) {
    const org = await company(pair[0]);
    const boss = await org.join('superAdmin');
    for (let count = 2; count < APPLICATIONS_PER_ORGANIZATION_MAX; count += 1) await org.newApplication();
    const answers = await together(pair, 6, (app) =>
      browserAt(app, boss.visitor).post('/api/applications', { org_id: org.orgId, ...books }),
    );
    expect(tally(answers)).toEqual({ ok: 2, application_limit_reached: 4 });
  }
});

test('a Super Admin who is demoted at the same time registers nothing afterwards', RACE_TIMEOUT, async () => {
  for (let round = 0; round < roundsOr(5); round += 1) {
    const org = await company(pair[0]);
    const [boss, demoted] = [await org.join('superAdmin'), await org.join('superAdmin')];
    const demote = (app: (typeof pair)[0]) =>
      browserAt(app, boss.visitor).put('/api/orgusers', {
        org_id: org.orgId,
        user_id: demoted.id,
        first_name: 'Ann',
        role_id: org.roles.sales,
      });
    const register = (app: (typeof pair)[0]) =>
      browserAt(app, demoted.visitor).post('/api/applications', { org_id: org.orgId, ...books });
    await together(pair, 4, (app, at) => (at === 0 ? demote(app) : register(app)));
    const rows = await listRows(pair[0], 'activity', ['activity_type'], { org_id: org.orgId }, 'id');
    const types = rows.map(({ activity_type: type }) => type);
    expect(types.slice(types.indexOf(8)).filter((type) => type === 18)).toEqual([]);
  }
});
