import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { languages } from '#words/languages.ts';
import { brandOf, readFolder } from './folder.ts';
import { readConfig } from '#server/config.ts';
import { createImages } from '#server/images.ts';
import { inLanguage } from '#server/language.ts';
import { brandFolder, northwind, hostileSvg as svg } from '#server/testing/brands.ts';
import { hugePng } from '#server/testing/pictures.ts';

const images = createImages();
const nothing = { files: new Map<string, Buffer>(), problems: [] };
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b57d0' } });
const png = await picture(600, 600).png().toBuffer();

async function read(...folder: Parameters<typeof brandFolder>) {
  const brandDir = brandFolder(...folder);
  const config = readConfig({ BRAND_DIR: brandDir, LANGUAGES: 'en,de' });
  return brandOf(readFolder(config) ?? nothing, config, images);
}
const problemsOf = (...folder: Parameters<typeof brandFolder>) =>
  read(...folder).then(
    () => [],
    (error: unknown) => (error as Error).message.replaceAll('BRAND_DIR: ', '').split('\n'),
  );

test('a whole folder is a brand', async () => {
  const brand = await read(northwind, {
    'logo-light.png': png,
    'favicon.svg': svg,
    'entrance.webp': await picture(2000, 900).webp().toBuffer(),
  });
  expect(brand.name).toBe('Northwind ID');
  const texts = () => [brand.line?.(), brand.mail.footer?.(), brand.legal?.terms(), brand.legal?.privacy()];
  expect(inLanguage('de', texts)).toEqual([
    'Hinter einer Tür.',
    'Northwind AB und Co.',
    'https://northwind.example/terms',
    'https://northwind.example/d',
  ]);
  expect(inLanguage('fr', texts)[0]).toBe('Behind one door.');
  expect(brand.logo?.light).toMatch(/^\/brand\/[0-9a-f]{16}\/logo-light\.png$/);
  expect(brand.logo?.dark).toBe(brand.logo?.light);
  const file = (at: string | null | undefined) => brand.files.get(at ?? '');
  expect(await sharp(file(brand.logo?.light)?.bytes).metadata()).toMatchObject({ width: 512, height: 512 });
  expect(await sharp(file(brand.entrance?.dark)?.bytes).metadata()).toMatchObject({
    width: 1600,
    height: 720,
  });
  expect(file(brand.favicon)).toEqual({ bytes: Buffer.from(svg), type: 'image/svg+xml' });
});

test('the example for operators is a whole folder', async () => {
  const config = readConfig({ BRAND_DIR: path.join(import.meta.dirname, '../../deploy/brand-example') });
  const brand = await brandOf(readFolder(config) ?? nothing, config, images);
  expect([brand.name, brand.logo === null, brand.legal?.version]).toEqual([
    'Northwind ID',
    false,
    '2026-11-01',
  ]);
});

test('without a folder there is no brand, and without a logo the favicon of the portal stays', async () => {
  expect(readFolder(readConfig({ DATA_DIR: '/nowhere' }))).toBeUndefined();
  expect(await read({ name: 'N' })).toMatchObject({
    logo: null,
    favicon: null,
    entrance: null,
    colour: null,
  });
});

const tags = languages.map(({ tag }) => tag).join(', ');
const text = (most: number) => `takes a text of at most ${most} characters in one line and without markup`;
test.for<[unknown, ...string[]]>([
  [
    '{',
    "brand.json can't be read (Expected property name or '}' in JSON at position 1 (line 1 column 2)), takes JSON",
  ],
  ['[]', 'brand.json: got [], takes name, colour, line, mail, legal'],
  ['{}', `brand.json name: got nothing, ${text(40)}`],
  [{ name: 'N'.repeat(41) }, `brand.json name: got "${'N'.repeat(41)}", ${text(40)}`],
  [{ name: 'N <b>' }, `brand.json name: got "N <b>", ${text(40)}`],
  [{ name: 'N\u202e' }, `brand.json name: got "N\u202e", ${text(40)}`],
  [{ name: 'N', colour: 'blue' }, 'brand.json colour: got "blue", takes a colour such as #0b57d0'],
  [
    { name: 'N', color: '#000000', mail: { from: 'x' } },
    'brand.json mail.from is unknown, takes sender, footer',
    'brand.json color is unknown, takes name, colour, line, mail, legal',
  ],
  [{ name: 'N', line: { de: 'Tür' } }, `brand.json line.en: got nothing, ${text(120)}`],
  [{ name: 'N', line: { en: 'Door', xx: 'Door' } }, `brand.json line.xx is unknown, takes ${tags}`],
  [{ name: 'N', mail: { footer: 5 } }, `brand.json mail.footer: got 5, takes ${tags}`],
  [
    { name: 'N', legal: { terms: 'http://n.example', privacy: 'javascript:alert(1)' } },
    'brand.json legal.version: got nothing, takes a version such as 2026-11-01',
    'brand.json legal.terms.en: got "http://n.example", takes an https address',
    'brand.json legal.privacy.en: got "javascript:alert(1)", takes an https address',
  ],
])('%j is refused', async ([description, ...problems]) => {
  expect(await problemsOf(description)).toEqual(problems);
});

test('a folder in place of a file, and a name in capitals, are refused; a byte order mark is not', async () => {
  const bom = '\uFEFF{"name":"N"}';
  expect(await problemsOf(bom)).toEqual([]);
  const folder = brandFolder();
  mkdirSync(path.join(folder, 'favicon.svg'));
  expect(await problemsOf({}, { 'Logo-Light.png': png }, folder)).toEqual([
    expect.stringMatching(/^Logo-Light\.png is unknown, takes /),
    expect.stringMatching(/^favicon\.svg can't be read \(EISDIR/),
    `brand.json name: got nothing, ${text(40)}`,
  ]);
});

test('pictures that cannot be shown are refused, and a giant is not decoded', async () => {
  const problems = await problemsOf(
    { name: '' },
    {
      'logo-light.png': await picture(20, 10).png().toBuffer(),
      'logo-dark.png': hugePng(50_000, 50_000),
      'favicon.svg': '<html><svg>',
      'favicon.png': 'GIF89a',
      'entrance.webp': svg,
    },
  );
  expect(problems).toEqual([
    `brand.json name: got "", ${text(40)}`,
    'entrance.webp is no picture that can be shown',
    'favicon.png is no picture that can be shown',
    'favicon.svg is no SVG',
    'logo-dark.png has more than 25 megapixels',
    'logo-light.png is not square',
  ]);
  expect(
    await problemsOf({ name: 'N' }, { 'logo.svg': svg, 'entrance.png': new Uint8Array(262_145) }),
  ).toEqual([
    'entrance.png is too large, takes at most 256 kB',
    expect.stringMatching(/^logo\.svg is unknown, takes brand\.json, logo-light\.svg, logo-light\.png, /),
  ]);
});
