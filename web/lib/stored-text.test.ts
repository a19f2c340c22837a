import { expect, test } from 'vitest';
import { storedText } from './stored-text.ts';

const store = () => {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  } as unknown as Storage;
};

test('a kept value is read until it is forgotten', () => {
  const area = store();
  const note = storedText(() => area, 'note');
  expect(note.read()).toBeNull();
  note.keep('one');
  note.keep(undefined);
  expect(note.read()).toBe('one');
  expect(area.getItem('portico-note')).toBe('one');
  note.forget();
  expect(note.read()).toBeNull();
});

test('a browser without storage does not cause a failure', () => {
  const note = storedText(() => {
    throw new DOMException('switched off', 'SecurityError');
  }, 'note');
  note.keep('one');
  note.forget();
  expect(note.read()).toBeNull();
});
