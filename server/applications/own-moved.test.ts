import { expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { CALLBACK } from '#server/testing/applications.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

test('a registration, other addresses and a secret take a fresh proof, and mail the Super Admins (P25)', async () => {
  const { visitor, email, orgId } = await founder(app);
  const settings = {
    org_id: orgId,
    name: 'Books',
    kind: 'web',
    description: '',
    start_url: '',
    redirect_urls: [CALLBACK],
    signed_out_urls: [],
    sign_out_url: '',
    is_for_everyone: 1,
    role_ids: [],
  };
  const register = () => visitor.post('/api/applications', settings);
  const { application } = responseOf<{ application: { id: number } }>(await register());
  const named = { org_id: orgId, application_id: application.id };
  const move = () =>
    visitor.put('/api/applications', { ...named, redirect_urls: ['https://thief.example/cb'] });
  const rotate = () => visitor.post('/api/applications/secret', named);
  await app.mails(email);
  app.clock.forward(11 * MINUTE_MS);
  const answers = [await register(), await move(), await rotate()];
  expect(answers.map(({ code }) => code)).toEqual(Array(3).fill('reauthentication_required'));
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  responseOf(await visitor.put('/api/applications', { ...named, description: 'More books' }));
  responseOf(await move());
  expect((await app.mails(email)).slice(-2).map(({ subject }) => subject)).toEqual([
    'New application in Northwind Traders: Books',
    'New addresses of Books',
  ]);
});
