import { expect, test } from 'vitest';
import { chooseLanguage, matchLanguage } from './languages.ts';

const offered = ['en', 'de', 'fr', 'pt-BR', 'ja'];

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at', 'de'],
  ['pt-PT', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['en-US', 'en'],
  ['sv', undefined],
  ['', undefined],
  ['*', undefined],
  ['deu', undefined],
])('the tag %j means %j', (tag, language) => {
  expect(matchLanguage(tag, offered)).toBe(language);
});

test.each([
  [{}, 'en'],
  [{ cookie: 'fr', query: 'ja', acceptLanguage: 'de' }, 'fr'],
  [{ query: 'ja', acceptLanguage: 'de' }, 'ja'],
  [{ cookie: 'xx', query: 'yy', acceptLanguage: 'de' }, 'de'],
  [{ cookie: '<script>', query: ['de', 'fr'] }, 'en'],
  [{ acceptLanguage: 'sv, de-CH;q=0.8, fr;q=0.9' }, 'fr'],
  [{ acceptLanguage: 'fr;q=0.5, de;q=0.5' }, 'fr'],
  [{ acceptLanguage: 'de;q=0, *' }, 'en'],
  [{ acceptLanguage: 'sv;q=1, ja ; q=0.1' }, 'ja'],
  [{ acceptLanguage: 'de;q=x, ,;;, fr;q=0.1' }, 'fr'],
])('a request with %j speaks %s', (wish, language) => {
  expect(chooseLanguage(wish, offered)).toBe(language);
});

test('the first language offered is the default', () => {
  expect(chooseLanguage({ acceptLanguage: 'en' }, ['de', 'fr'])).toBe('de');
});
