import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import {
  type Boss,
  colleague,
  deactivate,
  founder,
  mailedDigest,
  otherCode,
  PASSWORD,
  rolesOf,
  TYPED_CODE,
} from '#server/testing/people.ts';
import { plantedChallenge } from '#server/testing/planted.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });

type Member = Awaited<ReturnType<typeof colleague>>;
type Happens = (member: Member, boss: Boss) => Promise<unknown>;

const edit = async (member: Member, boss: Boss, change: object) =>
  boss.visitor.put('/api/orgusers', {
    org_id: boss.orgId,
    user_id: member.id,
    first_name: 'Tom',
    last_name: 'Berg',
    role_id: member.roleId,
    ...change,
  });
const signIn = ({ email }: Member) =>
  app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
const twoStep = ({ visitor }: Member, on: 0 | 1) => visitor.put('/api/mfa', { mfa_enabled: on });

/** Each event with the subject of its only mail, and the steps before it. */
const events: { what: string; subject: string; happens: Happens; before?: Happens }[] = [
  { what: 'a new device', subject: 'New sign-in to your account', happens: signIn },
  {
    what: 'a new password',
    subject: 'Your password was changed',
    before: ({ email }) => app.visitor().post('/api/forgotpassword', { email_id: email }),
    happens: async ({ email }) => {
      const body = { digest: await mailedDigest(app, email), password: 'fresh arch 77', timezone: '' };
      return app.visitor().put('/api/resetpassword', body);
    },
  },
  { what: 'two-step on', subject: 'Two-step sign-in is on', happens: (member) => twoStep(member, 1) },
  {
    what: 'two-step off',
    subject: 'Two-step sign-in is off',
    before: (member) => twoStep(member, 1),
    happens: (member) => twoStep(member, 0),
  },
  {
    what: 'another role',
    subject: 'Your role in Northwind Traders has changed',
    happens: async (member, boss) => edit(member, boss, { role_id: (await rolesOf(boss))['Super Admin'] }),
  },
  {
    what: 'a pause',
    subject: 'Your access to Northwind Traders is paused',
    happens: (member, boss) => edit(member, boss, { status: 3 }),
  },
  {
    what: 'being disabled',
    subject: 'Your access to Northwind Traders was disabled',
    happens: (member, boss) => edit(member, boss, { status: 4 }),
  },
  {
    what: 'removal',
    subject: 'You are no longer a member of Northwind Traders',
    happens: ({ id }, { visitor, orgId }) =>
      visitor.delete('/api/orgusers', { org_id: orgId, del_user_id: id }),
  },
  {
    what: 'restriction',
    subject: 'Your account is restricted for a while',
    happens: async (member) => {
      for (let half = 0; half < 2; half += 1) {
        const { visitor } = await plantedChallenge(app, member);
        for (let wrong = 0; wrong < 5; wrong += 1)
          await visitor.post('/api/verifyotp', { contact: 'x', otp: otherCode(TYPED_CODE), timezone: '' });
      }
    },
  },
  {
    what: 'deletion',
    subject: 'Your account is deactivated',
    happens: async (member) => deactivate(app, member),
  },
];

describe.for([0, 1])('with every choice of mails at %d', (choice) => {
  test.for(events)('$what sends one mail: $subject', async ({ subject, happens, before }) => {
    const boss = await founder(app);
    const member = await colleague(app, boss);
    if (choice === 1) responseOf(await member.visitor.put('/api/emailnotify', { 1: 1, 2: 1, 3: 1 }));
    await before?.(member, boss);
    const earlier = (await app.mails(member.email)).length;
    await happens(member, boss);
    // The end of a quiet time.
    app.clock.forward(10 * MINUTE_MS);
    const subjects = (await app.mails(member.email)).slice(earlier).map((mail) => mail.subject);
    expect(subjects).toEqual([subject]);
  });
});
