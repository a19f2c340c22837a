import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { self } from '#server/testing/addresses.ts';
import { confirmed, founder, invited, mailedDigest, newEmail, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

/** Every call that takes a time zone. Each returns the person who then has it. */
const ways: Record<string, (timezone: string) => Promise<Visitor>> = {
  'signing up': async (timezone) => {
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/signup', { emailId: newEmail(), password: PASSWORD, timezone }));
    return visitor;
  },
  'signing in without one': async (timezone) => {
    const { email, id } = await confirmed(app);
    const users = app.deps.sql.updateTable('users').set({ time_zone: null, country: 'India' });
    await users.where('id', '=', id as UserId).execute();
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone }));
    return visitor;
  },
  'a first password': async (timezone) => {
    const { email } = await invited(await founder(app));
    const visitor = app.visitor();
    const digest = await mailedDigest(app, email);
    responseOf(await visitor.post('/api/resetpassword', { digest, password: PASSWORD, timezone }));
    return visitor;
  },
  'the profile': async (timezone) => {
    const { visitor } = await confirmed(app);
    const body = { first_name: 'Maya', country: 'India', time_zone: timezone };
    responseOf(await visitor.put('/api/user', body));
    return visitor;
  },
};

test.each(Object.keys(ways))(
  '%s stores a renamed zone under its current name, with its country',
  async (way) => {
    const visitor = await ways[way]?.('Asia/Calcutta');
    expect(visitor && (await self({ visitor }))).toMatchObject({
      time_zone: 'Asia/Kolkata',
      country: 'India',
    });
  },
);

test.each(['signing up', 'signing in without one', 'a first password'])(
  '%s ignores an unknown zone',
  async (way) => {
    const visitor = await ways[way]?.('Mars/Olympus');
    expect(visitor && (await self({ visitor }))).toMatchObject({ time_zone: null });
  },
);
