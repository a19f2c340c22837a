import { beforeAll, expect, test } from 'vitest';
import { confirmed, newEmail, PASSWORD, type Person, signedUp } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, LANGUAGES: 'en,de,ja' });
let person: Person;
beforeAll(async () => {
  person = await confirmed(app);
});

const save = (language: unknown) => person.visitor.put('/api/user', { first_name: 'Maya', language });
const languageIn = (answer: Answer) =>
  responseOf<{ user_information: { language: string | null } }>(answer).user_information.language;
const signIn = (visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: person.email, password: PASSWORD, timezone: '' });

test('a person chooses a language that is offered, and pages and cookie follow', async () => {
  expect(responseOf(await save('ja'))).toMatchObject({ language: 'ja' });
  expect(person.visitor.cookies.get('portico-language')).toBe('ja');
  const elsewhere = app.visitor();
  elsewhere.cookies.set('portico-language', 'de');
  responseOf(await signIn(elsewhere));
  expect(elsewhere.cookies.get('portico-language')).toBe('ja');
  elsewhere.cookies.set('portico-language', 'de');
  expect(languageIn(await elsewhere.get('/api/init'))).toBe('ja');
  expect(elsewhere.cookies.get('portico-language')).toBe('ja');
  responseOf(await save('en'));
});

test.each(['fr', '', '../de', 7])('the language %j is refused', async (language) => {
  const answer = await save(language);
  expect([answer.code, Object.keys(answer.body.error?.fields ?? {})]).toEqual([
    'invalid_input',
    ['language'],
  ]);
});

test.each([
  ['de*', false, 'de'],
  ['de', false, 'en'],
  ['de*', true, 'en'],
  ['fr*', false, 'en'],
])(
  'the cookie %s, and a language chosen in My Profile: %s, sign in to %s',
  async (cookie, isSaved, language) => {
    const { visitor, email } = await confirmed(app);
    const saved = async (tag: string) =>
      responseOf(await visitor.put('/api/user', { first_name: 'Maya', language: tag }));
    if (isSaved) for (const tag of ['ja', 'en']) await saved(tag);
    const elsewhere = app.visitor();
    elsewhere.cookies.set('portico-language', cookie);
    responseOf(await elsewhere.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));
    expect(languageIn(await visitor.get('/api/init'))).toBe(language);
    expect(elsewhere.cookies.get('portico-language')).toBe(language);
  },
);

test('an account without a language takes that of the page, at sign-up and at sign-in', async () => {
  const visitor = app.visitor();
  visitor.cookies.set('portico-language', 'de');
  const body = { emailId: newEmail(), password: PASSWORD, timezone: '' };
  responseOf(await visitor.post('/api/signup', body));
  expect(languageIn(await visitor.get('/api/init'))).toBe('de');

  await updateRows(app, 'users', { id: person.id }, { language: null });
  responseOf(await signIn(visitor));
  expect(languageIn(await visitor.get('/api/init'))).toBe('de');
  const french = await signedUp(app);
  expect(languageIn(await french.visitor.get('/api/init'))).toBe('en');
});
