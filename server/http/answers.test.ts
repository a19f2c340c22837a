import { expect, test } from 'vitest';
import { errors, type RefusalName } from '#contract/errors.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';
import { areaFieldText } from '#words/area-field.ts';
import { errorText } from '#words/error.ts';
import { fieldText } from '#words/field.ts';
import { inLanguage } from '#server/language.ts';
import { signedUp } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ LANGUAGES: 'en,de,ja' });
const languages = ['en', 'de', 'ja'] as const;
const speaking = (language: string) => {
  const visitor = app.visitor();
  visitor.cookies.set('portico-language', language);
  return visitor;
};

test('each refusal has its own sentence in each language', () => {
  const same = (Object.keys(errors) as RefusalName[]).filter((name) => {
    const sentences = languages.map((language) => inLanguage(language, () => errorText[name]));
    return new Set(sentences).size < languages.length;
  });
  expect(same).toEqual([]);
});

test('forty requests at once are each answered in their own language, with the same codes', async () => {
  const tags = Array.from({ length: 40 }, (_, at) => languages[at % 3] ?? 'en');
  const answers = await Promise.all(tags.map((tag) => speaking(tag).get('/api/init')));
  const expected = tags.map((tag) => [401, 'not_signed_in', inLanguage(tag, () => errorText.not_signed_in)]);
  expect(answers.map(({ status, code, body }) => [status, code, body.error?.details])).toEqual(expected);
});

test.each(languages)('messages of fields speak %s', async (language) => {
  const { visitor } = await signedUp(app);
  visitor.cookies.set('portico-language', language);
  const contact = await visitor.put('/api/user', { email: 'nobody' });
  const profile = await visitor.put('/api/user', {
    first_name: ' ',
    last_name: 'x'.repeat(200),
    country: 'Atlantis',
    designation: '<b>',
  });
  const signUp = await speaking(language).post('/api/signup', {
    emailId: 'a@b.co',
    password: 'short',
    timezone: '',
  });
  expect([contact, profile, signUp].map(({ status, code }) => [status, code])).toEqual(
    Array.from({ length: 3 }, () => [422, 'invalid_input']),
  );
  const fields = Object.assign(
    {},
    ...[contact, profile, signUp].map(({ body }) => body.error?.fields),
  ) as object;
  expect(fields).toEqual(
    inLanguage(language, () => ({
      email: fieldText.email,
      first_name: fieldText.required,
      last_name: fieldText.tooLong({ max: NAME_MAX_CHARACTERS }),
      country: areaFieldText.country,
      designation: areaFieldText.generalText,
      password: fieldText.passwordShort,
    })),
  );
});

test('an answer before the cookies are read speaks the browser’s language', async () => {
  const headers = {
    'accept-language': 'ja',
    'content-type': 'application/json',
    origin: 'https://evil.example',
  };
  const answer = await app.visitor().send('POST', '/api/signin', { headers, body: {} });
  expect(answer.body.error).toEqual({
    code: 'cross_site_request',
    details: inLanguage('ja', () => errorText.cross_site_request),
  });
});
