import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import type { Person } from './people.ts';
import { listRows } from './rows.ts';
import type { TestApp } from './start-app.ts';
import { type Answer, responseOf } from './visitor.ts';

export const tinyPng = await sharp({
  create: { width: 8, height: 8, channels: 4, background: '#ff000080' },
})
  .png()
  .toBuffer();

/** Accepts images without drawing them, because each drawing takes a process. */
export const skipDrawing = (app: TestApp) =>
  Object.assign(app.deps, {
    images: { square: async (bytes: Uint8Array) => ({ bytes: Buffer.from(bytes), mediaType: 'image/png' }) },
  });

export type Upload = {
  readonly fields?: Record<string, string | undefined>;
  readonly bytes?: Uint8Array | string;
  readonly name?: string;
  readonly headers?: Record<string, string>;
};

/** The form of an icon upload; an undefined field is left out. */
export function iconForm(orgId: number, { fields = {}, bytes = tinyPng, name = 'icon.png' }: Upload = {}) {
  const form = new FormData();
  const texts = { permission: '1', org_id: String(orgId), icon_type: '1', ...fields };
  for (const [key, text] of Object.entries(texts)) if (text !== undefined) form.set(key, text);
  form.set(
    'file',
    new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type: 'image/png' }),
  );
  return form;
}

export const sendForm = (
  app: TestApp,
  person: Person | null,
  form: FormData,
  headers = {},
): Promise<Answer> =>
  (person?.visitor ?? app.visitor()).send('POST', '/drive/appicon', { raw: form, headers });

export const upload = (app: TestApp, person: Person | null, orgId: number, request: Upload = {}) =>
  sendForm(app, person, iconForm(orgId, request), request.headers);

export const uploadedIconId = async (
  app: TestApp,
  person: Person,
  orgId: number,
  iconType = 1,
): Promise<string> =>
  responseOf<{ file_id: string }>(
    await upload(app, person, orgId, { fields: { icon_type: String(iconType) } }),
  ).file_id;

export const setIcon = (person: Person, orgId: number, fileId: string, iconType = 1) =>
  person.visitor.post('/api/clientOrgIcon', { org_id: orgId, icon_type: iconType, file_id: fileId });

export const iconPath = (orgId: number, fileId: string) => `/drive/appicon?file_id=${fileId}&org_id=${orgId}`;

export const iconRows = (app: TestApp, orgId: number) =>
  listRows(app, 'images', ['file_id', 'icon_type', 'shown_at'], { org_id: orgId }, 'created_at');

export const dateFile = (app: TestApp, name: string) =>
  utimesSync(path.join(app.deps.config.dataDir, 'images', name), app.clock.now(), app.clock.now());

export function storedFiles(app: TestApp): string[] {
  try {
    return readdirSync(path.join(app.deps.config.dataDir, 'images'));
  } catch {
    return [];
  }
}
