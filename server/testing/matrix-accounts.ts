import type { UserId } from '#contract/wire.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { sha256 } from '#server/keys.ts';
import { requestAddress } from './addresses.ts';
import {
  all,
  change,
  everybody,
  idle,
  look,
  nobody,
  outside,
  signedOut,
  type World,
} from './matrix-world.ts';
import {
  confirmed,
  deactivate,
  founder,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  signedUp,
} from './people.ts';
import { getRow, insertRow } from './rows.ts';
import { firstStep } from './second-steps.ts';
import { newSubject } from './social-app.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

const digest = 'A'.repeat(43);
const place = { timezone: '' };
const choice = { digest, password: PASSWORD, ...place };

/** A person with two sessions. */
const twiceSignedIn = async (app: TestApp) => {
  const { visitor, email } = await confirmed(app);
  await firstStep(app.visitor(), email);
  return { visitor, email };
};
const googleOf = (id: number) => ({ provider: 'google', subject: `google of ${id}` }) as const;

const withPendingEmail = async (world: World) => {
  await world.everybodyWaits();
  return {};
};

/** The calls of a person's account, profile and sessions. */
export const accountCalls = {
  accounts: {
    signUp: change(nobody, ['profile.profileInformation.create'], () => ({
      emailId: newEmail('matrix'),
      password: PASSWORD,
      ...place,
    })),
    verifyEmail: change(
      all('digest_invalid'),
      ['profile.contactInformation.update'],
      { digest },
      async (app) => {
        const { visitor, email } = await signedUp(app);
        const mailed = await mailedDigest(app, email);
        return () => visitor.post('/api/verifyemail', { digest: mailed });
      },
    ),
    resendVerification: change(nobody, 'it only mails', ({ boss }) => ({ email_id: boss.email })),
    agree: idle(signedOut, 'without terms there is nothing to agree to', { terms_version: '2026-11-01' }),
  },
  recovery: {
    forgotPassword: change(nobody, 'it only mails', ({ boss }) => ({ email_id: boss.email })),
    passwordOwner: look(all('digest_invalid'), { digest }),
    resetPassword: change(all('digest_invalid'), ['profile.password.change'], choice, async (app) => {
      const { email } = await confirmed(app);
      responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
      const input = { digest: await mailedDigest(app, email), password: `${PASSWORD} anew`, ...place };
      return () => app.visitor().put('/api/resetpassword', input);
    }),
    createPassword: change(
      all('digest_invalid'),
      ['organization.invitationAnswer.create', 'profile.password.create'],
      choice,
      async (app) => {
        const { email } = await invited(await founder(app));
        const input = { digest: await mailedDigest(app, email), password: PASSWORD, ...place };
        return () => app.visitor().post('/api/resetpassword', input);
      },
    ),
    notMe: change(all('digest_invalid'), ['signInDevice.signInDevice.delete'], { digest }, async (app) => {
      const { email } = await twiceSignedIn(app);
      const mailed = await mailedDigest(app, email);
      return () => app.visitor().post('/api/notme', { digest: mailed });
    }),
  },
  social: {
    start: look(all('social_not_set_up'), { state: '2', channel_type: '1' }),
    waiting: look(signedOut, { visit: digest }),
    // Nothing waits.
    link: change(everybody('not_found'), ['signInDevice.signIn.update'], { visit: digest }, async (app) => {
      const { visitor, id } = await confirmed(app);
      const visit = newSubject();
      await insertRow(app, 'social_visits', {
        ...googleOf(id),
        said: null,
        session_id: (await getRow(app, 'sessions', ['id'], { user_id: id })).id,
        state_hash: sha256(visit),
        browser_hash: sha256(visit),
        expires_at: fromNow(app.clock, MINUTE_MS),
      });
      return () => visitor.post('/api/auth/link', { visit });
    }),
    linked: look(signedOut),
    // Nothing is linked.
    unlink: idle(signedOut, ['signInDevice.signIn.update'], { provider: 'google' }, async (app) => {
      const { visitor, id } = await confirmed(app);
      const identity = { ...googleOf(id), user_id: id as UserId, created_at: app.clock.now() };
      await insertRow(app, 'social_identities', identity);
      return () => visitor.delete('/api/auth/linked', { provider: 'google' });
    }),
  },
  sessions: {
    beacon: idle(signedOut, 'the last use of a session is not recorded'),
    list: look(signedOut),
    // There are no other devices to end.
    end: idle(signedOut, ['signInDevice.signInDevice.delete'], { others: 1 }, async (app) => {
      const { visitor } = await twiceSignedIn(app);
      return () => visitor.delete('/api/usersession', { others: 1 });
    }),
  },
  profile: {
    restoreEmail: change(
      all('digest_invalid'),
      ['profile.contactInformation.change'],
      { digest },
      async (app) => {
        const person = await confirmed(app);
        await requestAddress(app, person);
        const mailed = await mailedDigest(app, person.email);
        return () => app.visitor().post('/api/restoreemail', { digest: mailed });
      },
    ),
    read: look(outside),
    update: change(outside, ['profile.profileInformation.update'], { first_name: 'Maj' }),
    resendPendingEmail: change(signedOut, 'it only mails', withPendingEmail),
    cancelPendingEmail: change(signedOut, ['profile.contactInformation.delete'], withPendingEmail),
    changePassword: change(
      everybody('wrong_password'),
      ['profile.password.change'],
      { current_password: PASSWORD, new_password: `${PASSWORD}!` },
      async (app) => {
        const { visitor } = await confirmed(app);
        const input = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
        return () => visitor.put('/api/changepassword', input);
      },
    ),
  },
  accountDeletion: {
    restore: change(
      all('digest_invalid'),
      ['deleteAccount.deleteAccount.change'],
      { digest },
      async (app) => {
        const person = await confirmed(app);
        await deactivate(app, person);
        const mailed = await mailedDigest(app, person.email);
        return () => app.visitor().post('/api/restoreaccount', { digest: mailed });
      },
    ),
    resendRestore: change(nobody, 'it only mails', ({ boss }) => ({ email_id: boss.email })),
    effects: look(signedOut),
    // One row in the person's log, and one in their organization's.
    request: change(signedOut, ['deleteAccount.deleteAccount.delete', 'deleteAccount.deleteAccount.delete'], {
      reason: 'I am moving on',
    }),
  },
};
