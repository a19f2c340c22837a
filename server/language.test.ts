import { expect, test, vi } from 'vitest';
import { inLanguage, inSameLanguage, offeredLanguage, withoutLanguage } from './language.ts';
import { uiText } from '#words/ui.ts';

const throwAt = (text: string) => {
  throw new Error(`read ${text}`);
};

test('a text is read in the language set, and outside of one its reader is told', async () => {
  const read = () => uiText.cancel;
  expect(read()).toBe('Cancel');
  expect(() => withoutLanguage(throwAt, read)).toThrow('read cancel');
  const reported: string[] = [];
  expect(withoutLanguage((text) => void reported.push(text), read)).toBe('Cancel');
  expect(reported).toEqual(['cancel']);
  expect(withoutLanguage(throwAt, () => inLanguage('de', read))).toBe('Abbrechen');
});

test('content that is read later keeps the language it was asked for in', async () => {
  async function* content() {
    yield uiText.cancel;
    await Promise.resolve();
    yield uiText.cancel;
  }
  const kept = inLanguage('de', () => inSameLanguage(content()));
  const parts: string[] = [];
  await withoutLanguage(throwAt, async () => {
    for await (const part of kept) parts.push(part);
  });
  expect(parts).toEqual(['Abbrechen', 'Abbrechen']);
});

test.each([
  ['de', 'de'],
  ['fr', 'ja'],
  [null, 'ja'],
])('of ja and de a person with %s gets %s', (language, given) => {
  expect(offeredLanguage(['ja', 'de'], language)).toBe(given);
});

test('no text is read while the modules of the server load, because it would stay English', async () => {
  vi.resetModules();
  const fresh = await import('./language.ts');
  await expect(fresh.withoutLanguage(throwAt, () => import('./app.ts'))).resolves.toBeDefined();
  vi.resetModules();
});
