import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { company, type Worker } from '#server/testing/company.ts';
import { brokenInvariants } from '#server/testing/invariants.ts';
import { deactivate } from '#server/testing/people.ts';
import {
  browserAt,
  CROWDS,
  RACE_TIMEOUT,
  roundsOr,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { eraseDueAccounts } from './jobs.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

const pair = usePair({ LOG_LEVEL: 'warn' });

const leave = (visitor: Visitor) => visitor.delete('/api/deleteaccount', { reason: 'I am moving on' });

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds }) => {
  test(
    'K1: when they remove each other, leave and delete their accounts, one remains',
    RACE_TIMEOUT,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const org = await company(pair[0]);
        await org.join('sales');
        const bosses = await Promise.all(Array.from({ length: crowd }, () => org.join('superAdmin')));
        const acts = [
          (visitor: Visitor) => leave(visitor),
          (visitor: Visitor, next: Worker) =>
            visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: next.id }),
          (visitor: Visitor) => visitor.post('/api/orgs/leave', { org_id: org.orgId }),
          (visitor: Visitor, next: Worker) =>
            visitor.put('/api/orgusers', {
              org_id: org.orgId,
              user_id: next.id,
              first_name: 'Ann',
              role_id: org.roles.sales,
            }),
        ];
        await together(pair, crowd, (app, at) => {
          const [act, next] = [acts[(round + at) % acts.length], bosses[(at + 1) % crowd]];
          if (!act || !next) throw new Error('nobody is next');
          return act(browserAt(app, visitorOf(bosses, at)), next);
        });
        expect(await brokenInvariants(pair[0], org.orgId)).toEqual([]);
      }
      expect(await brokenInvariants(pair[0])).toEqual([]);
    },
  );
});

test('deletions that cross each other in several organizations do not deadlock', RACE_TIMEOUT, async () => {
  for (let round = 0; round < roundsOr(10); round += 1) {
    const [first, second] = [await company(pair[0]), await company(pair[0])];
    const people = [await first.join('superAdmin'), await second.join('superAdmin')];
    await second.add(people[0] as Worker, 'superAdmin');
    await first.add(people[1] as Worker, 'superAdmin');
    const answers = await together(pair, 2, (app, at) => leave(browserAt(app, visitorOf(people, at))));
    expect(tally(answers)).toEqual({ ok: 1, last_super_admin: 1 });
    for (const { orgId } of [first, second]) expect(await brokenInvariants(pair[0], orgId)).toEqual([]);
  }
  expect(await brokenInvariants(pair[0])).toEqual([]);
});

test('two processes erase each account once', RACE_TIMEOUT, async () => {
  const org = await company(pair[0]);
  await org.join('superAdmin');
  const people = await Promise.all(Array.from({ length: 30 }, () => org.join('sales')));
  for (const person of people) await deactivate(pair[0], person);
  pair[0].clock.forward(60 * DAY_MS);
  const erase = ({ deps }: TestApp) => eraseDueAccounts(deps).then(() => deps);
  await Promise.all(pair.map(erase));
  await Promise.all(pair.map((app) => app.mails()));
  const rows = await pair[0].deps.sql
    .selectFrom('activity')
    .select('user_id')
    .where(
      'user_id',
      'in',
      people.map(({ id }) => id),
    )
    .where('activity_type', '=', 10)
    .where('org_id', 'is', null)
    .execute();
  // One row for the request, one for the erasure.
  expect(rows).toHaveLength(2 * people.length);
  for await (const broken of brokenChains(pair[0].deps)) expect.fail(JSON.stringify(broken));
});

const visitorOf = (people: readonly Worker[], at: number): Visitor => {
  const person = people[at];
  if (!person) throw new Error('nobody is there');
  return person.visitor;
};
