import { beforeAll, expect, test } from 'vitest';
import { type Boss, confirmed, founder, newEmail, rolesOf } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, LANGUAGES: 'en,de,ja,fr' });
let boss: Boss;
let role_id: number | undefined;
beforeAll(async () => {
  boss = await founder(app);
  role_id = (await rolesOf(boss))['Admin'];
  boss.visitor.cookies.set('portico-language', 'fr');
});

const invite = (email: string, language?: string) =>
  boss.visitor.post('/api/orgusers', {
    org_id: boss.orgId,
    role_id,
    first_name: 'Tom',
    email_id: email,
    language,
  });
const setOrganization = (language: string) => boss.visitor.put('/api/orgs', { org_id: boss.orgId, language });
/** The languages of the mails to an address, which their links carry. */
const languagesOf = async (email: string) =>
  (await app.mails(email)).map(({ html, text }) => {
    const language = /<html lang="([\w-]+)"/.exec(html)?.[1];
    expect(text).toContain(`&language=${language}`);
    return language;
  });

test('a stranger is invited in the dialog’s language, else the organization’s, else the inviter’s', async () => {
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  responseOf(await invite(first));
  responseOf(await setOrganization('de'));
  responseOf(await invite(second));
  const { user_id } = responseOf<{ user_id: number }>(await invite(third, 'ja'));
  expect(await languagesOf(first)).toEqual(['fr']);
  expect(await languagesOf(second)).toEqual(['de']);
  responseOf(await boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id }));
  expect(await languagesOf(third)).toEqual(['ja', 'ja']);
  expect(responseOf(await setOrganization(''))).toMatchObject({ Language: null });
});

test('a person with an account is invited in their own language, whatever the inviter chose', async () => {
  const person = await confirmed(app);
  await updateRows(app, 'users', { id: person.id }, { language: 'de' });
  const before = (await languagesOf(person.email)).length;
  responseOf(await invite(person.email, 'ja'));
  expect((await languagesOf(person.email)).slice(before)).toEqual(['de']);
});

test('a language that is not offered is refused in the caller’s language', async () => {
  const fields = { language: 'Choisissez une langue dans la liste.' };
  for (const answer of [await invite(newEmail(), 'ar'), await setOrganization('ar')])
    expect(answer.body.error).toMatchObject({ code: 'invalid_input', fields });
});
