import { describe, expect, test } from 'vitest';
import { CALLBACK } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

describe('the database refuses', () => {
  test.for<[constraint: string, values: object]>([
    ['applications_redirect_urls_exact', { redirect_urls: ['http://a.example/'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://a.example/#x'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://u@a.example/'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://a.example/*'] }],
    ['applications_redirect_urls_exact', { redirect_urls: [CALLBACK, CALLBACK] }],
    [
      'applications_redirect_urls_exact',
      { redirect_urls: [...Array(21).keys()].map((at) => `${CALLBACK}${at}`) },
    ],
    ['applications_signed_out_urls_exact', { signed_out_urls: ['//a.example/'] }],
    ['applications_start_url_exact', { start_url: 'javascript:alert(1)' }],
    ['applications_sign_out_url_public', { sign_out_url: 'http://localhost/' }],
  ])('by %s: %j', async ([constraint, values]) => {
    const id = await (await company(app)).newApplication();
    await expect(
      app.deps.sql.updateTable('applications').set(values).where('id', '=', id).execute(),
    ).rejects.toMatchObject({ constraint });
  });
});
