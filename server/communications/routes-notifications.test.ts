import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { notify, sweepNotifications } from '#server/activity/notifications/data.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import {
  type Boss,
  confirmed,
  deactivate,
  founder,
  invited,
  mailedDigest,
  PASSWORD,
  type Person,
  rolesOf,
  signedUp,
} from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000', ...lastingSessions });

type Item = { id: number; kind: string; text: string; link?: string; created_at: string; read: 0 | 1 };
type Panel = { notifications: Item[]; unread: number; next: number | null };
const panelOf = async (visitor: Visitor, query = '') =>
  responseOf<Panel>(await visitor.get(`/api/notifications${query}`));
const kindsOf = async (visitor: Visitor) => (await panelOf(visitor)).notifications.map(({ kind }) => kind);
const markRead = async (visitor: Visitor, upTo: number) =>
  responseOf<Panel>(await visitor.put('/api/notifications', { read_up_to: upTo }));
const signIn = ({ email }: Person, visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
/** Writes this many notifications in the same way as events do. */
const plant = ({ id }: Pick<Person, 'id'>, count: number) =>
  transaction(app.deps.sql, async (tx) => {
    for (let at = 0; at < count; at += 1)
      await notify(tx, app.deps, id as UserId, {
        kind: 'new_device',
        details: { browser: `Browser ${at}`, system: 'Linux' },
      });
  });
const invite = (boss: Boss, email: string) => invited(boss, { email });

describe('the panel shows', () => {
  test('an address to confirm, until it is confirmed', async () => {
    const person = await signedUp(app);
    const { notifications, unread } = await panelOf(person.visitor);
    expect([unread, notifications]).toEqual([
      1,
      [
        {
          id: notifications[0]?.id,
          kind: 'address_to_confirm',
          text: `Please confirm that ${person.email} is your address. We emailed you a link.`,
          created_at: app.clock.now().toISOString(),
          read: 0,
        },
      ],
    ]);
    const digest = await mailedDigest(app, person.email);
    responseOf(await person.visitor.post('/api/verifyemail', { digest }));
    expect(await panelOf(person.visitor)).toEqual({ notifications: [], unread: 0, next: null });
  });

  test('a new device, with a link to the devices page of the current organization', async () => {
    const person = await founder(app);
    responseOf(await signIn(person));
    const [item] = (await panelOf(person.visitor)).notifications;
    expect(item).toMatchObject({
      kind: 'new_device',
      text: 'New sign-in to your account with an unknown browser, from 127.0.0.1.',
      link: `/${person.urlName}/signindevices`,
    });
    const homeless = await confirmed(app);
    responseOf(await signIn(homeless));
    expect((await panelOf(homeless.visitor)).notifications[0]?.link).toBeUndefined();
    const foreign = await homeless.visitor.get(`/api/notifications?org_id=${person.orgId}`);
    expect(foreign.code).toBe('org_not_found');
  });

  test('a pending invitation with its current names', async () => {
    const boss = await founder(app);
    const person = await confirmed(app);
    const { id } = await invite(boss, person.email);
    const [item, ...more] = (await panelOf(person.visitor)).notifications;
    expect([item?.text, more]).toEqual([
      'Maya Lindqvist invited you to join Northwind Traders as Admin.',
      [],
    ]);
    responseOf(
      await boss.visitor.put('/api/orgusers', {
        org_id: boss.orgId,
        user_id: id,
        first_name: 'Tom',
        role_id: (await rolesOf(boss))['Super Admin'],
      }),
    );
    expect((await panelOf(person.visitor)).notifications[0]?.text).toContain('as Super Admin.');
    app.clock.forward(8 * DAY_MS);
    expect(await kindsOf(person.visitor)).toEqual([]);
    responseOf(await signIn(boss, boss.visitor));
    responseOf(await boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id: id }));
    expect(await panelOf(person.visitor)).toMatchObject({
      unread: 1,
      notifications: [{ kind: 'invitation' }],
    });
    responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id }));
    expect(await panelOf(person.visitor)).toEqual({ notifications: [], unread: 0, next: null });
  });

  test('no invitation before the mailbox is proven', async () => {
    const boss = await founder(app);
    const person = await signedUp(app);
    await invite(boss, person.email);
    expect(await kindsOf(person.visitor)).toEqual(['address_to_confirm']);
    const [first] = (await panelOf(person.visitor)).notifications;
    expect((await markRead(person.visitor, (first?.id ?? 0) + 1000)).unread).toBe(0);
    const link = (await app.mails(person.email)).find(({ subject }) => subject.startsWith('Confirm'));
    const digest = /digest=([\w-]+)/.exec(link?.text ?? '')?.[1];
    responseOf(await person.visitor.post('/api/verifyemail', { digest }));
    // A notification that is not shown does not become read.
    expect(await panelOf(person.visitor)).toMatchObject({
      unread: 1,
      notifications: [{ kind: 'invitation' }],
    });
  });

  test.for([
    [1, 'accepted'],
    [0, 'declined'],
  ] as const)('an answer to the reader’s invitation: %d is %s', async ([accept, word]) => {
    const boss = await founder(app);
    const person = await confirmed(app);
    await invite(boss, person.email);
    const digest = await mailedDigest(app, person.email);
    responseOf(await person.visitor.post('/api/invitation', { digest, accept }));
    expect((await panelOf(boss.visitor)).notifications[0]).toMatchObject({
      kind: 'invitation_answered',
      text: `Tom Berg ${word} your invitation to Northwind Traders.`,
      link: `/${boss.urlName}/organization`,
    });
    expect(await kindsOf(person.visitor)).toEqual([]);
  });

  test('a deletion that was cancelled', async () => {
    const person = await confirmed(app);
    await deactivate(app, person);
    const digest = await mailedDigest(app, person.email);
    responseOf(await app.visitor().post('/api/restoreaccount', { digest }));
    responseOf(await signIn(person, person.visitor));
    expect(await kindsOf(person.visitor)).toEqual(['new_device', 'deletion_scheduled']);
  });

  test('nothing of a kind that only a newer release knows', async () => {
    const person = await confirmed(app);
    const userId = person.id as UserId;
    await transaction(app.deps.sql, async (tx) => {
      await notify(tx, app.deps, userId, {
        kind: 'second_step_asked',
        details: { organization: 'Fabrikam' },
      });
      await notify(tx, app.deps, userId, { kind: 'of_a_newer_release' as 'new_device' });
    });
    expect(await panelOf(person.visitor)).toMatchObject({
      unread: 1,
      notifications: [{ kind: 'second_step_asked' }],
    });
  });
});

describe('pages and marks', () => {
  test('a page has twenty, and each notification comes once even if new ones arrive meanwhile', async () => {
    const person = await confirmed(app);
    await plant(person, 45);
    const first = await panelOf(person.visitor);
    await plant(person, 5);
    const second = await panelOf(person.visitor, `?after=${first.next}`);
    const third = await panelOf(person.visitor, `?after=${second.next}`);
    const pages = [first, second, third];
    expect(pages.map(({ notifications }) => notifications.length)).toEqual([20, 20, 5]);
    expect([first.unread, second.unread, third.next]).toEqual([45, 50, null]);
    const texts = pages.flatMap(({ notifications }) => notifications.map(({ text }) => text));
    expect(texts).toEqual(
      Array.from({ length: 45 }, (_, at) => `New sign-in to your account with Browser ${44 - at} on Linux.`),
    );
  });

  test('marking up to a notification cannot be undone, and marks only the reader’s own', async () => {
    const [person, other] = [await confirmed(app), await confirmed(app)];
    await plant(person, 3);
    await plant(other, 2);
    const [, middle, oldest] = (await panelOf(person.visitor)).notifications;
    const marks = async (upTo = 0) =>
      (await markRead(person.visitor, upTo)).notifications.map((item) => item.read);
    expect(await marks(middle?.id)).toEqual([0, 1, 1]);
    expect(await marks(oldest?.id)).toEqual([0, 1, 1]);
    const [foreign] = (await panelOf(other.visitor)).notifications;
    expect(await marks(foreign?.id)).toEqual([1, 1, 1]);
    expect((await panelOf(person.visitor)).unread).toBe(0);
    expect((await panelOf(other.visitor)).unread).toBe(2);
  });

  test('marking between two notifications leaves older and newer ones unread', async () => {
    const { id, visitor } = await confirmed(app);
    await plant({ id }, 4);
    const [, second, third] = (await panelOf(visitor)).notifications;
    const body = { read_from: third?.id, read_up_to: second?.id };
    const panel = responseOf<Panel>(await visitor.put('/api/notifications', body));
    expect(panel.notifications.map((item) => item.read)).toEqual([0, 1, 1, 0]);
    expect(panel.unread).toBe(2);
  });

  test('a person keeps two hundred notifications, none for longer than half a year', async () => {
    const [person, other] = [await confirmed(app), await confirmed(app)];
    await plant(other, 1);
    await plant(person, 205);
    expect((await panelOf(person.visitor)).unread).toBe(200);
    expect((await panelOf(other.visitor)).unread).toBe(1);
    app.clock.forward(180 * DAY_MS - SECOND_MS);
    await sweepNotifications(app.deps);
    expect((await panelOf(person.visitor)).unread).toBe(200);
    app.clock.forward(MINUTE_MS);
    await sweepNotifications(app.deps);
    expect((await panelOf(person.visitor)).unread).toBe(0);
  });
});

test('only another new device pushes the notice of a new device out (B9)', async () => {
  const person = await confirmed(app);
  await plant(person, 1);
  await transaction(app.deps.sql, async (tx) => {
    for (let at = 0; at < 201; at += 1)
      await notify(tx, app.deps, person.id as UserId, { kind: 'deletion_scheduled' });
  });
  const kinds = await app.deps.sql
    .selectFrom('notifications')
    .select((row) => ['kind', row.fn.countAll<number>().as('count')])
    .where('user_id', '=', person.id as UserId)
    .where('kind', '!=', 'address_to_confirm')
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  expect(kinds).toMatchObject([
    { kind: 'deletion_scheduled', count: 200 },
    { kind: 'new_device', count: 1 },
  ]);
});
