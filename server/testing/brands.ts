import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type BrandFiles = Readonly<Record<string, string | Uint8Array>>;

/** A made-up brand with everything that brand.json takes. */
export const northwind = {
  name: 'Northwind ID',
  colour: '#0b57d0',
  line: { en: 'Behind one door.', de: 'Hinter einer Tür.' },
  mail: { sender: 'Northwind accounts', footer: { en: 'Northwind AB & Co', de: 'Northwind AB und Co.' } },
  legal: {
    version: '2026-11-01',
    terms: 'https://northwind.example/terms',
    privacy: { en: 'https://northwind.example/p', de: 'https://northwind.example/d' },
  },
};
export const hostileSvg =
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

/** Writes a brand's folder, for `BRAND_DIR`. A text in place of the description is written as it is. */
export function brandFolder(
  description: unknown = northwind,
  files: BrandFiles = {},
  folder = mkdtempSync(path.join(tmpdir(), 'portico-brand-')),
): string {
  const json = typeof description === 'string' ? description : JSON.stringify(description);
  for (const [name, content] of Object.entries({ 'brand.json': json, ...files }))
    writeFileSync(path.join(folder, name), content);
  return folder;
}
