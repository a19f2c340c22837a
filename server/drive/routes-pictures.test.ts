import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { deletePicturesOf } from './actions.ts';
import { sweepImages } from './jobs.ts';
import type { Images, Sender } from '#server/images.ts';
import { newestRow, self } from '#server/testing/addresses.ts';
import { company } from '#server/testing/company.ts';
import { iconForm, skipDrawing, storedFiles, type Upload } from '#server/testing/icons.ts';
import { colleague, confirmed, founder, type Person, signedUp } from '#server/testing/people.ts';
import { deleteRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

const send = (visitor: Visitor, { fields = {}, ...rest }: Upload = {}, orgId = 0) => {
  const org = orgId === 0 ? undefined : String(orgId);
  const raw = iconForm(orgId, { fields: { icon_type: undefined, org_id: org, ...fields }, ...rest });
  return visitor.send('POST', '/drive/profile', { raw });
};
const uploaded = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf<{ file_id: string }>(await send(visitor)).file_id;
const pathOf = (fileId: string, orgId?: number) =>
  `/drive/profile?file_id=${fileId}${orgId === undefined ? '' : `&org_id=${orgId}`}`;

test('a picture is re-encoded as a square without the camera’s metadata, and is shown at once', async () => {
  const maya = await founder(app);
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#00ff00' } })
    .withExif({ IFD0: { Copyright: 'Maya', ImageDescription: 'at home' } })
    .jpeg();
  const bytes = await photo.toBuffer();
  expect((await sharp(bytes).metadata()).exif).toBeDefined();
  const answer = await send(maya.visitor, { bytes, name: '../../me.png' }, maya.orgId);
  const { file_id: fileId } = responseOf<{ file_id: string }>(answer);
  expect(await self(maya)).toMatchObject({ profile_picture_url: pathOf(fileId) });
  expect(responseOf(await maya.visitor.get('/api/init'))).toMatchObject({
    user_information: { profile_picture_url: pathOf(fileId) },
  });
  expect(await newestRow(app, maya.id)).toMatchObject({
    org_id: maya.orgId,
    record_id: maya.id,
    information: { profile_picture: [null, fileId] },
  });
  const image = await maya.visitor.request('GET', pathOf(fileId, maya.orgId));
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const { width, height, format, exif } = await sharp(Buffer.from(await image.arrayBuffer())).metadata();
  expect([width, height, format, exif]).toEqual([512, 512, 'jpeg', undefined]);
});

test('a picture waits in the queue of its sender and their network', async () => {
  const { images } = app.deps;
  const senders: Sender[] = [];
  const square: Images['square'] = (bytes, sender) => {
    senders.push(sender);
    return images.square(bytes, sender);
  };
  Object.assign(app.deps, { images: { square } });
  const [maya, newcomer] = [await confirmed(app), await signedUp(app)];
  for (const { visitor } of [maya, newcomer]) expect((await send(visitor)).status).toBe(200);
  Object.assign(app.deps, { images });
  expect(senders).toEqual([
    { userId: maya.id, network: '127.0.0.1', confirmed: true },
    { userId: newcomer.id, network: '127.0.0.1', confirmed: false },
  ]);
});

describe('without re-encoding', () => {
  beforeAll(() => skipDrawing(app));

  test('a new picture replaces the old one, whose file is deleted', async () => {
    const maya = await confirmed(app);
    const old = await uploaded(maya);
    const next = await uploaded(maya);
    expect((await newestRow(app, maya.id)).information).toEqual({ profile_picture: [old, next] });
    expect((await maya.visitor.get(pathOf(old))).code).toBe('file_not_found');
    await app.mails();
    expect([old, next].map((fileId) => storedFiles(app).includes(fileId))).toEqual([false, true]);
  });

  test('a removal deletes row and file, and a second one finds nothing', async () => {
    const maya = await founder(app);
    const fileId = await uploaded(maya);
    responseOf(await maya.visitor.delete('/drive/profile', { org_id: maya.orgId }));
    expect(await self(maya)).toMatchObject({ profile_picture_url: null });
    expect(await newestRow(app, maya.id)).toMatchObject({
      org_id: maya.orgId,
      information: { profile_picture: [fileId, null] },
    });
    await app.mails();
    expect(storedFiles(app)).not.toContain(fileId);
    const again = await untouched(app, () => maya.visitor.delete('/drive/profile'));
    expect([again.status, again.code]).toEqual([404, 'file_not_found']);
  });

  test('people who share an organization see it, and nobody else can tell that it exists', async () => {
    const maya = await founder(app);
    const tom = await colleague(app, maya);
    const stranger = await founder(app);
    const fileId = await uploaded(maya);
    for (const path of [pathOf(fileId), pathOf(fileId, maya.orgId)])
      for (const { visitor } of [maya, tom]) expect((await visitor.get(path)).status).toBe(200);
    const unknown = await stranger.visitor.get(pathOf('x'.repeat(43)));
    const hidden = await stranger.visitor.get(pathOf(fileId));
    expect([hidden.status, hidden.code, hidden.body]).toEqual([404, 'file_not_found', unknown.body]);
    expect((await stranger.visitor.get(pathOf(fileId, stranger.orgId))).code).toBe('file_not_found');
    expect((await stranger.visitor.get(pathOf(fileId, maya.orgId))).code).toBe('org_not_found');
    expect((await app.visitor().get(pathOf(fileId))).code).toBe('not_signed_in');
    expect((await stranger.visitor.get(pathOf('../secret'))).code).toBe('invalid_input');
  });

  type Standing = keyof typeof MEMBER_STATUS;
  test.each<[owner: Standing, viewer: Standing, sees: boolean]>([
    ['active', 'active', true],
    ['disabled', 'active', true],
    ['invited', 'active', false],
    ['active', 'inactive', false],
    ['active', 'disabled', false],
  ])('the picture of a person who is %s, seen by a person who is %s: %s', async (owner, viewer, sees) => {
    const org = await company(app);
    await org.join('superAdmin');
    const [person, colleague] = [await org.join('sales'), await org.join('sales')];
    const fileId = await org.picture(person);
    const setStatus = (userId: UserId, status: MemberStatus) =>
      updateRows(app, 'memberships', { user_id: userId }, { status });
    await setStatus(person.id, MEMBER_STATUS[owner]);
    await setStatus(colleague.id, MEMBER_STATUS[viewer]);
    expect((await colleague.visitor.get(pathOf(fileId))).status).toBe(sees ? 200 : 404);
    expect((await person.visitor.get(pathOf(fileId))).status).toBe(200);
  });

  test('a picture is not shown by an organization that waits for the viewer’s second step', async () => {
    const org = await company(app);
    const [person, colleague] = [await org.join('sales'), await org.join('sales')];
    const fileId = await org.picture(person);
    const rule = { second_step_rule: 'any', second_step_from: app.clock.now() } as const;
    await app.deps.sql.updateTable('organizations').set(rule).execute();
    expect((await colleague.visitor.get(pathOf(fileId))).status).toBe(404);
    expect((await person.visitor.get(pathOf(fileId))).status).toBe(200);
    const lifted = { second_step_rule: 'none', second_step_from: null } as const;
    await app.deps.sql.updateTable('organizations').set(lifted).execute();
    expect((await colleague.visitor.get(pathOf(fileId))).status).toBe(200);
  });

  test('the sweep keeps pictures and deletes files without a row', async () => {
    const maya = await confirmed(app);
    const [stored, orphan] = [await uploaded(maya), await uploaded(await confirmed(app))];
    await deleteRows(app, 'pictures', { file_id: orphan as never });
    app.clock.forward(2 * 365 * DAY_MS * 10);
    await sweepImages(app.deps);
    expect([stored, orphan].map((fileId) => storedFiles(app).includes(fileId))).toEqual([true, false]);
  });

  test('erasing a person deletes their picture in the same transaction', async () => {
    const maya = await confirmed(app);
    const fileId = await uploaded(maya);
    const erase = (fails: boolean) =>
      transaction(app.deps.sql, async (tx) => {
        await deletePicturesOf(tx, app.deps, maya.id as UserId);
        if (fails) throw new Error('something else failed');
      });
    await expect(erase(true)).rejects.toThrow('something else failed');
    await app.mails();
    expect(storedFiles(app)).toContain(fileId);
    await erase(false);
    await app.mails();
    expect(storedFiles(app)).not.toContain(fileId);
    expect(await self(maya)).toMatchObject({ profile_picture_url: null });
  });
});
