import { expect, test } from 'vitest';
import { ask, CALLBACK, isAtCallback, setting } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

/** An application of a company, and a request that has to end with an error. */
async function failing() {
  const org = await company(app);
  const at = await setting(app, { org_id: org.orgId, is_first_party: false });
  const member = await org.join('sales');
  return { ...at, member: member.visitor, outsider: at.visitor };
}
const silent = { prompt: 'none' };
const wrong = { code_challenge_method: 'plain' };

test.for([
  ['a stranger', silent],
  ['an outsider', silent],
  ['a stranger', wrong],
  ['an outsider', wrong],
] as const)(
  'an error of an organization’s application leads %s to a page that names its host (P26)',
  async ([who, more]) => {
    const { outsider, ...at } = await failing();
    const visitor = who === 'a stranger' ? app.visitor() : outsider;
    const page = await ask({ ...at, visitor }, more);
    expect([page.origin, page.pathname]).toEqual([app.url, '/authorize']);
    const request = page.searchParams.get('request') ?? '';
    const shown = responseOf<{ error_url: string }>(
      await app.visitor().get(`/api/authorization?request=${request}`),
    );
    expect(shown).toMatchObject({ step: 'leave', application: { host: 'sign.example' } });
    expect(shown.error_url).toMatch(`${CALLBACK}?error=`);
  },
);

test('members, frames and other applications get the error at once', async () => {
  const { member, ...at } = await failing();
  const asked = await ask({ ...at, visitor: member }, wrong);
  expect(isAtCallback(asked)).toBe(true);
  const suite = await setting(app);
  expect(isAtCallback(await ask({ ...suite, visitor: app.visitor() }, silent))).toBe(true);
  const query = new URLSearchParams({ ...at.request, ...silent }).toString();
  const headers = { 'sec-fetch-dest': 'iframe' };
  const framed = await app.visitor().request('GET', `/oidc/auth?${query}`, { headers });
  expect(framed.headers.get('location')).toMatch(`${CALLBACK}?error=login_required`);
});

test('an answer as a form ends on a page of ours', async () => {
  const at = await failing();
  const page = await ask({ ...at, visitor: app.visitor() }, { ...silent, response_mode: 'form_post' });
  expect(page.searchParams.get('error')).toBe('invalid_request');
});
