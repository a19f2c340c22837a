import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  accentOf,
  accentStyle,
  hexOf,
  linearOf,
  looksLikeDanger,
  type Oklch,
  oklchOf,
  type Theme,
  type Token,
} from './colours.ts';

const luminance = (colour: Oklch) => {
  const [red, green, blue] = linearOf(colour).map((channel) => Math.min(1, Math.max(0, channel)));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
};
const contrast = (one: Oklch, other: Oklch) => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The colours of web/ui/tokens.css by name, in both themes. */
const sheet = readFileSync(new URL('../../web/ui/tokens.css', import.meta.url), 'utf8');
const own = (name: string, theme: Theme): Oklch => {
  const [, text = ''] = new RegExp(`--${name}: (.+);`).exec(sheet) ?? [];
  const [light, dark = light] = [...text.matchAll(/oklch\(([\d.]+)% ([\d.]+) ?([\d.]*)/g)].map(
    ([, lightness, chroma, hue]): Oklch => [Number(lightness) / 100, Number(chroma), Number(hue)],
  );
  const colour = theme === 'light' ? light : dark;
  if (!colour) throw new Error(`no colour ${name}`);
  return colour;
};

const grounds = ['paper', 'surface', 'raised', 'sunken', 'band'];

const TEXT = 4.5;
/** Texts and what they stand on. The accent's own pairs are tried for every brand below. */
const pairs: [text: string, grounds: string[], least?: number][] = [
  ['ink', [...grounds, 'danger-wash', 'warn-wash', 'good-wash']],
  ['ink-2', [...grounds, 'danger-wash', 'warn-wash', 'good-wash']],
  ['ink-3', grounds],
  ['danger', [...grounds, 'danger-wash']],
  ['danger-strong', [...grounds, 'danger-wash']],
  ['danger-ink', ['danger-fill', 'danger-fill-strong']],
  ['warn', [...grounds, 'warn-wash']],
  ['good', [...grounds, 'good-wash']],
  ['line-strong', ['paper', 'surface', 'band'], 3],
];
test.for(['light', 'dark'] as const)(
  'texts have enough contrast on what they stand on, in the %s theme',
  (theme) => {
    const weak = pairs.flatMap(([text, below, least = TEXT]) =>
      below
        .map((ground) => ({ text, ground, contrast: contrast(own(text, theme), own(ground, theme)) }))
        .filter((pair) => pair.contrast < least),
    );
    expect(weak).toEqual([]);
  },
);

test('no colour fails: text has a contrast of 4.5, and the focus ring of 3', () => {
  const least = { light: { text: 21, ring: 21 }, dark: { text: 21, ring: 21 } };
  for (const theme of ['light', 'dark'] as const) {
    const ground = grounds.map((name) => own(name, theme));
    const inks = ['ink', 'ink-2'].map((name) => own(name, theme));
    for (let hue = 0; hue < 360; hue += 1)
      for (const chroma of [0, 0.04, 0.08, 0.12, 0.18, 0.25, 0.37]) {
        const accent = (token: Token) => accentOf([0.5, chroma, hue], token, theme);
        const [ink, wash, ring] = [accent('accent-ink'), accent('accent-wash'), accent('ring')];
        const pairs = [accent('accent'), accent('accent-strong')].flatMap((act) => [
          ...[...ground, wash].map((below) => contrast(act, below)),
          contrast(ink, act),
        ]);
        pairs.push(...inks.map((text) => contrast(text, wash)));
        least[theme].text = Math.min(least[theme].text, ...pairs);
        least[theme].ring = Math.min(least[theme].ring, ...ground.map((below) => contrast(ring, below)));
      }
  }
  for (const { text, ring } of Object.values(least)) {
    expect(text).toBeGreaterThan(4.5);
    expect(ring).toBeGreaterThan(3);
  }
});

test("today's accent gives today's lightness", () => {
  for (const token of ['accent', 'accent-ink', 'accent-strong', 'accent-wash', 'ring'] as const)
    for (const theme of ['light', 'dark'] as const)
      expect(accentOf([0.5, 0.083, 187], token, theme)[0]).toBeCloseTo(own(token, theme)[0], 6);
});

test.each(['#0b57d0', '#000000', '#ffffff', '#ff0000', '#ffd400', '#00665e'])('%s is read exactly', (hex) =>
  expect(hexOf(oklchOf(hex))).toBe(hex),
);

describe('a colour', () => {
  test('gives its hue to all tokens, and sRGB holds each', () => {
    expect(accentStyle(oklchOf('#0b57d0'))).toMatch(/^--accent:light-dark\(oklch\(\.47 \.\d+ 261\),/);
    expect(accentStyle(oklchOf('#0b57d0')).length).toBeLessThan(400);
  });
  test.each([
    ['#c0392b', true],
    ['#ff0000', true],
    ['#000000', false],
    ['#8a8583', false],
    ['#0b57d0', false],
    ['#ffd400', false],
  ])('%s looks like danger: %s', (hex, expected) => {
    expect(looksLikeDanger(oklchOf(hex))).toBe(expected);
  });
});
