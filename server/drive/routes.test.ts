import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { fieldText } from '#words/field.ts';
import {
  iconForm,
  iconPath,
  iconRows,
  setIcon,
  sendForm,
  skipDrawing,
  storedFiles,
  upload,
  uploadedIconId,
} from '#server/testing/icons.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import { activityOf, newRole, organizationOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ MAX_ORGS_PER_USER: '1000', RATE_LIMIT_FACTOR: '1000' });
let maya: Person;
let tom: Person;
let orgId: number;
beforeAll(async () => {
  maya = await confirmed(app);
  tom = await confirmed(app);
});
beforeEach(async () => {
  ({ orgId } = await organizationOf(maya));
});

const fetched = async (visitor: Visitor, fileId: string, of = orgId) =>
  (await visitor.request('GET', iconPath(of, fileId))).status;
const salesIn = (organization: number) => newRole(maya.visitor, organization, 'Sales');
const settings = async () =>
  responseOf<Record<string, unknown>>(await maya.visitor.get(`/api/orgsetting?org_id=${orgId}`));

test('an upload is re-encoded, waits until it is set, and is then shown to everybody', async () => {
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#00ff00' } }).jpeg();
  const uploadAnswer = await upload(app, maya, orgId, { bytes: await photo.toBuffer(), name: 'photo.png' });
  const { file_id: fileId } = responseOf<{ file_id: string }>(uploadAnswer);
  expect(await settings()).toMatchObject({ app_dark_icon: '/icon-dark.svg', icon_name: 'icon-dark.svg' });
  const setting = responseOf(await setIcon(maya, orgId, fileId));
  expect(setting).toEqual({
    application_name: PRODUCT_NAME,
    app_dark_icon: iconPath(orgId, fileId),
    app_light_icon: '/icon-light.svg',
    icon_name: 'icon-dark.jpg',
    limits: { members: 500, members_used: 1 },
  });
  expect(await settings()).toEqual(setting);
  const icons = { AppIconDark: iconPath(orgId, fileId), AppIconLight: '/icon-light.svg' };
  expect(responseOf(await maya.visitor.get(`/api/settings?org_id=${orgId}`))).toMatchObject({
    default_organizations: icons,
  });
  const answer = await app.visitor().request('GET', iconPath(orgId, fileId));
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.has('set-cookie')).toBe(false);
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height, format]).toEqual([512, 512, 'jpeg']);
  const rows = await activityOf(app, orgId);
  expect(rows.slice(0, 2)).toMatchObject([
    {
      record_id: orgId,
      information: { app_dark_icon: [null, fileId] },
    },
    {
      record_id: orgId,
      information: { app_dark_icon: [null, fileId] },
    },
  ]);
});

test('a page behind the first bytes of a PNG is refused, and nothing is stored', async () => {
  const before = storedFiles(app);
  const bytes = Buffer.from('\u0089PNG\r\n\u001a\n<svg><script>alert(1)</script></svg>', 'latin1');
  const answer = await upload(app, maya, orgId, { bytes });
  expect([answer.status, answer.code]).toEqual([415, 'invalid_image']);
  expect(storedFiles(app)).toEqual(before);
  expect(await iconRows(app, orgId)).toEqual([]);
});

describe('without re-encoding', () => {
  beforeAll(() => skipDrawing(app));

  test('only the organization’s admins see an icon that is not set; for others it does not exist', async () => {
    const fileId = await uploadedIconId(app, maya, orgId);
    const admin = await staff(app, orgId, 'Admin');
    const member = await staff(app, orgId, await salesIn(orgId));
    const other = await organizationOf(tom);
    for (const { visitor } of [maya, admin]) {
      const answer = await visitor.request('GET', iconPath(orgId, fileId));
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, max-age=31536000, immutable',
      ]);
    }
    const unknown = await app.visitor().get(iconPath(orgId, 'x'.repeat(43)));
    expect([unknown.status, unknown.code]).toEqual([404, 'file_not_found']);
    for (const visitor of [member.visitor, tom.visitor, app.visitor()]) {
      const answer = await visitor.get(iconPath(orgId, fileId));
      expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
    expect(await fetched(tom.visitor, fileId, other.orgId)).toBe(404);
    expect(await fetched(app.visitor(), fileId, 999_999)).toBe(404);
    responseOf(await setIcon(admin, orgId, fileId));
    for (const visitor of [member.visitor, tom.visitor, app.visitor()])
      expect(await fetched(visitor, fileId)).toBe(200);
    expect(await fetched(app.visitor(), fileId, other.orgId)).toBe(404);
  });

  test('a new icon replaces the old one, whose file is deleted; the other icon stays', async () => {
    const [old, light] = [await uploadedIconId(app, maya, orgId), await uploadedIconId(app, maya, orgId, 2)];
    responseOf(await setIcon(maya, orgId, old));
    responseOf(await setIcon(maya, orgId, light, 2));
    const next = await uploadedIconId(app, maya, orgId);
    expect(await settings()).toMatchObject({ app_dark_icon: iconPath(orgId, old) });
    responseOf(await setIcon(maya, orgId, next));
    expect(await settings()).toMatchObject({
      app_dark_icon: iconPath(orgId, next),
      app_light_icon: iconPath(orgId, light),
    });
    expect((await activityOf(app, orgId))[0]?.information).toEqual({ app_dark_icon: [old, next] });
    expect(await fetched(maya.visitor, old)).toBe(404);
    await app.mails();
    const files = storedFiles(app);
    expect([old, next, light].map((fileId) => files.includes(fileId))).toEqual([false, true, true]);
  });

  test('setting a shown icon again changes nothing', async () => {
    const fileId = await uploadedIconId(app, maya, orgId);
    const first = responseOf(await setIcon(maya, orgId, fileId));
    const rows = (await activityOf(app, orgId)).length;
    expect(responseOf(await setIcon(maya, orgId, fileId))).toEqual(first);
    expect(await activityOf(app, orgId)).toHaveLength(rows);
  });

  test('an upload replaces the admin’s own earlier upload for the same icon, not a colleague’s', async () => {
    const admin = await staff(app, orgId, 'Admin');
    const [mine, foreign, light] = [
      await uploadedIconId(app, maya, orgId),
      await uploadedIconId(app, admin, orgId),
      await uploadedIconId(app, maya, orgId, 2),
    ];
    const again = await uploadedIconId(app, maya, orgId);
    const rows = (await iconRows(app, orgId)).map((row) => row.file_id);
    expect(rows.toSorted()).toEqual([foreign, light, again].toSorted());
    expect((await setIcon(maya, orgId, mine)).code).toBe('file_not_found');
    await app.mails();
    expect(storedFiles(app)).not.toContain(mine);
  });

  test('only an icon of this organization and type can be set, and only by its admins', async () => {
    const fileId = await uploadedIconId(app, maya, orgId);
    const other = await organizationOf(tom);
    const foreign = await uploadedIconId(app, tom, other.orgId);
    const member = await staff(app, orgId, await salesIn(orgId));
    for (const [answer, code] of [
      [await setIcon(maya, orgId, foreign), 'file_not_found'],
      [await setIcon(maya, orgId, 'x'.repeat(43)), 'file_not_found'],
      [await setIcon(maya, orgId, fileId, 2), 'file_not_found'],
      [await setIcon(maya, orgId, '../secret'), 'invalid_input'],
      [await setIcon(maya, orgId, fileId, 3), 'invalid_input'],
      [await setIcon(tom, other.orgId, fileId), 'file_not_found'],
      [await setIcon(tom, orgId, fileId), 'org_not_found'],
      [await setIcon(member, orgId, fileId), 'not_allowed'],
    ] as const)
      expect(answer.code).toBe(code);
    expect(await settings()).toMatchObject({ app_dark_icon: '/icon-dark.svg' });
  });

  test('a text is not a file, a field may come only once, and an organization’s id is a number', async () => {
    const form = iconForm(orgId);
    form.set('file', 'text');
    expect(Object.keys((await sendForm(app, maya, form)).body.error?.fields ?? {})).toEqual(['file']);
    form.delete('file');
    expect((await sendForm(app, maya, form)).body.error?.fields).toEqual({ file: fieldText.required });
    const twice = iconForm(orgId);
    twice.append('org_id', String(orgId));
    expect((await sendForm(app, maya, twice)).code).toBe('malformed_request');
    for (const org_id of ['x', '-1', '1.0', '١'])
      expect((await upload(app, maya, orgId, { fields: { org_id } })).code).toBe('org_id_invalid');
  });

  test.each(['../../secret.png', '日本.png'])('the file name %j is ignored', async (name) => {
    const answer = await upload(app, maya, orgId, { name });
    const { file_id: fileId } = responseOf<{ file_id: string }>(answer);
    expect(fileId).toMatch(/^[\w-]{43}$/);
    expect(storedFiles(app)).toContain(fileId);
    expect(storedFiles(app).filter((stored) => !/^[\w-]{43}$/.test(stored))).toEqual([]);
  });
});
