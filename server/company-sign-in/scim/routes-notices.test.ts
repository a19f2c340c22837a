import * as client from 'openid-client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { discover, enter, registerApplication, startReceiver } from '#server/testing/applications.ts';
import { company, somebody } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';

const app = useApp();
const receiver = useServer(startReceiver);
beforeEach(() => receiver.forget());

test.for([
  ['the address of the company', 'not_signed_in'],
  ['another address', 'org_not_found'],
] as const)(
  'a deactivated person with %s is out, and applications hear of it at once (U8)',
  async ([address, code]) => {
    const org = await company(app);
    const directory = await companyDirectory(app, org, await org.join('superAdmin'));
    const email = `ann@${directory.domain}`;
    const ann = await somebody(app, { email });
    await org.add(ann, 'sales');
    const user = { userName: email, active: true, emails: [{ primary: true, value: email }] };
    const { id } = (await directory.post('/Users', user)).body;
    if (address === 'another address')
      await updateRows(app, 'users', { id: ann.id }, { email: `${ann.id}@private.example` });
    const application = await registerApplication(app, { sign_out_url: receiver.url, is_for_everyone: true });
    const config = await discover(app, application);
    const { refresh_token = '' } = await enter(ann.visitor, config);
    // It looks for jobs at its start and when it is woken.
    const stop = startJobs(app.deps, app.jobs, [], HOUR_MS);
    onTestFinished(() => stop());
    expect((await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(
      200,
    );
    const lane = `sign-out ${application.id}`;
    expect(await getRow(app, 'jobs', ['run_at'], { lane })).toEqual({ run_at: new Date(0) });
    expect((await ann.visitor.get(`/api/init?org_id=${org.orgId}`)).code).toBe(code);
    await expect(client.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect.poll(receiver.tokens).toHaveLength(1);
  },
);
