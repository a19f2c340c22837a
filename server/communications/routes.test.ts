import { describe, expect, test } from 'vitest';
import { ACTION, MODULE } from '#contract/activity/calls.ts';
import type { NotificationType } from '#contract/communications/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const choicesOf = async ({ visitor }: Person) => responseOf(await visitor.get('/api/emailnotify'));
const choose = ({ visitor }: Person, body: object) => visitor.put('/api/emailnotify', body);
const loggedFor = ({ id }: Person) =>
  listRows(
    app,
    'activity',
    ['org_id', 'module', 'action', 'information'],
    { user_id: id, activity_type: 4 },
    'id',
  );

describe('GET and PUT /emailnotify', () => {
  test('changes the named types, keeps the rest, and concerns only the caller', async () => {
    const [person, other] = [await confirmed(app), await confirmed(app)];
    expect(responseOf(await choose(person, { 2: 1 }))).toEqual({ 1: 0, 2: 1, 3: 0 });
    expect(responseOf(await choose(person, { 1: 1, 3: 1 }))).toEqual({ 1: 1, 2: 1, 3: 1 });
    expect(responseOf(await choose(person, { 2: 0 }))).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await choicesOf(person)).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await choicesOf(other)).toEqual({ 1: 0, 2: 0, 3: 0 });
  });

  test('the database accepts a type that only a newer process offers', async () => {
    const person = await confirmed(app);
    const row = { user_id: person.id as UserId, type: 4 as NotificationType, wanted: true };
    await app.deps.sql.insertInto('email_preferences').values(row).execute();
    expect(await choicesOf(person)).toEqual({ 1: 0, 2: 0, 3: 0 });
  });

  test('logs old and new values of changed types in the person’s log', async () => {
    const person = await confirmed(app);
    responseOf(await choose(person, { 1: 1, 2: 0, 3: 1 }));
    expect(await loggedFor(person)).toEqual([
      {
        org_id: null,
        module: MODULE.communication,
        action: ACTION.update,
        information: { productUpdates: [false, true], promotionalUpdates: [false, true] },
      },
    ]);
  });

  test('an unchanged choice is refused and writes nothing', async () => {
    const person = await confirmed(app);
    responseOf(await choose(person, { 2: 1 }));
    for (const body of [{ 2: 1 }, { 1: 0 }, { 1: 0, 2: 1, 3: 0 }])
      expect((await choose(person, body)).code).toBe('no_changes');
    expect(await loggedFor(person)).toHaveLength(1);
  });

  test('two choices at once are both kept', async () => {
    const person = await confirmed(app);
    await Promise.all([choose(person, { 1: 1 }), choose(person, { 3: 1 })]);
    expect(await choicesOf(person)).toEqual({ 1: 1, 2: 0, 3: 1 });
    expect(await loggedFor(person)).toHaveLength(2);
  });
});
