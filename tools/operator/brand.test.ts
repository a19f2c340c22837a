import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { showBrand } from '#server/brand/brand.ts';
import { brandFolder, northwind } from '#server/testing/brands.ts';
import { operate } from './command.ts';

const root = mkdtempSync(path.join(tmpdir(), 'portico-check-'));
afterAll(() => {
  showBrand(null);
  rmSync(root, { recursive: true });
});
const check = (BRAND_DIR?: string) =>
  operate(['brand', 'check'], { DATA_DIR: root, ...(BRAND_DIR !== undefined && { BRAND_DIR }) });

test('brand check says what is wrong', async () => {
  const { code, errors } = await check(brandFolder({ name: '', color: 'red' }, {}, root));
  expect(code).toBe(1);
  expect(errors.split('\n')).toEqual([
    expect.stringContaining('BRAND_DIR: brand.json name: got ""'),
    'BRAND_DIR: brand.json color is unknown, takes name, colour, line, mail, legal',
  ]);
  expect((await check()).errors).toContain('the portal shows no brand');
});

test('brand check warns of a colour like that of danger, and writes a page', async () => {
  const { code, out } = await check(brandFolder({ ...northwind, colour: '#c0392b' }, {}, root));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('close to the red of danger') });
  const page = readFileSync(path.join(root, 'brand-check.html'), 'utf8');
  expect(page.match(/<iframe/g)).toHaveLength(8);
  expect(page).toContain('Choose a new password');
  expect(page).not.toContain('Portico');
});
