import { expect, test } from 'vitest';
import { kept } from '#web/lib/kept.ts';

const store = () => {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  } as unknown as Storage;
};

test('what is kept is read until it is forgotten', () => {
  const area = store();
  const note = kept(() => area, 'note');
  expect(note.read()).toBeNull();
  note.keep('one');
  note.keep(undefined);
  expect(note.read()).toBe('one');
  expect(area.getItem('portico-note')).toBe('one');
  note.forget();
  expect(note.read()).toBeNull();
});

test('a browser that keeps nothing is no reason to fail', () => {
  const note = kept(() => {
    throw new DOMException('switched off', 'SecurityError');
  }, 'note');
  note.keep('one');
  note.forget();
  expect(note.read()).toBeNull();
});
