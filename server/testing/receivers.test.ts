import { expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { UNTIL_LIFTED } from '#contract/time.ts';
import { SCOPES } from '#contract/split-by-bytes/scopes.ts';
import type { OrgId } from '#contract/wire.ts';

import { restoredNotice, restoreMail } from '#server/accounts/deletion/mail.ts';
import { accountExistsMail, confirmAddressMail, noticeMail } from '#server/accounts/mail.ts';
import { connectedNotice } from '#server/applications/grants.ts';
import { anyApplication } from '#server/applications/own.ts';
import { deskMail } from '#server/operator/operators/mail.ts';
import { resetAskedNotice } from '#server/operator/desk/mail.ts';
import { exportReadyMail, organizationExportReadyMail } from '#server/data-export/mail.ts';
import { transaction } from '#server/db/connect.ts';
import { QUIET_MS } from '#server/jobs/quiet.ts';
import { newDigestSeed } from '#server/keys.ts';
import { inLanguage } from '#server/language.ts';
import { fillWords, letterOf, type Notice } from '#server/mail/frame.ts';
import { queueMail, type WriteMail } from '#server/mail/outbox.ts';
import { invitationMail } from '#server/members/invitations/mail.ts';
import { declinedMail } from '#server/members/joining/mail.ts';
import { removedMail, roleChangedMail, statusChangedMail } from '#server/members/mail.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import {
  addressLostMail,
  addressReturnedMail,
  liftedNotice,
  passwordEndedMail,
  restrictedNotice,
  secondStepsResetNotice,
  sessionsEndedNotice,
} from '#server/operator/people/mail.ts';
import { urlNameMail } from '#server/organizations/mail.ts';
import { secondStepAskedMail } from '#server/organizations/second-step/mail.ts';
import { addressTakenMail, changeNotice, newAddressMail } from '#server/profile/contact/mail.ts';
import { passwordNotice } from '#server/profile/password/mail.ts';
import { setBackMail, wayBackMail } from '#server/profile/restore/mail.ts';
import {
  appAddedNotice,
  appRemovedNotice,
  copiedPasskeyNotice,
  passkeyAddedNotice,
  passkeyRemovedNotice,
  recoveryCodesNotice,
  twoStepNotice,
  usedRecoveryCodeNotice,
} from '#server/sign-in/factors/notices.ts';
import { codeMail, restrictedNotice as wrongCodesNotice } from '#server/sign-in/challenge/mail.ts';
import { newDeviceNotice } from '#server/sign-in/completion/mail.ts';
import { tellOwner } from '#server/sign-in/factors/actions.ts';
import {
  passwordNotice as resetNotice,
  resetMail,
  resetOfCompanyMail,
} from '#server/sign-in/recovery/mail.ts';
import { linkedNotice, unlinkedNotice } from '#server/social/mail.ts';
import { brandFolder, northwind } from './brands.ts';
import { foreignWords, type PseudoLanguage, visibleText } from './foreign.ts';
import { company, somebody } from './company.ts';
import { updateRows } from './rows.ts';
import { useApp } from './use-app.ts';
import { switchedOffOfSuiteMail, switchedOffWords } from '#server/webhooks/deliveries/mail.ts';
import type { mailText } from '#words/mail.ts';
import type { deskMailText } from '#words/desk-mail.ts';
import type { secondStepMailText } from '#words/second-step-mail.ts';
import { webhookMailText } from '#words/webhook-mail.ts';

// Each mail is sent by a person who speaks one pseudo-language to a person who speaks the other.

const pairs = [
  { actor: 'ar-XB', receiver: 'en-XA' },
  { actor: 'en-XA', receiver: 'ar-XB' },
] as const;
// The portal's name has no Latin letters either, so a mail that names Portico fails.
const BRAND_DIR = brandFolder({
  name: '北風',
  legal: { ...northwind.legal, privacy: northwind.legal.terms },
});
const app = useApp({ LANGUAGES: 'en-XA,ar-XB,en', BRAND_DIR });

// Values without Latin letters, so that all letters are those of texts.
const organization = '東京';
const person = '森 愛子';
const url = new URL('https://portal.example');
const at = new Date('2026-03-02T09:00:00Z');
const org = { orgId: 1 as OrgId, organization };
const news = { organization, name: '山', person };
const ofWebhook = (mail: 'added' | 'moved' | 'secret' | 'removed') =>
  fillWords(webhookMailText[mail], { organization, person, address: url.href });
const rule = { organization, rule: 'any', from: at, timeZone: null } as const;
const invited = { organization, role: '課', inviter: person, days: 7 };

const ofNotice = (notice: () => Notice) => () => noticeMail(url, notice());
const ofSuperAdmins = (words: () => Parameters<typeof letterOf>[0]) => () => letterOf(words(), url.href);
type Kinds =
  | Exclude<keyof typeof mailText, 'notice'>
  | Exclude<keyof typeof secondStepMailText, 'severalChanges'>
  | Exclude<keyof typeof webhookMailText, 'removed'>
  | `desk${Capitalize<keyof typeof deskMailText>}`
  | 'webhookRemoved'
  | 'exportReady'
  | 'organizationExportReady';
/** Every mail. A new one without a line does not compile. */
const mails: Readonly<Record<Kinds, () => WriteMail>> = {
  accessAgain: () => statusChangedMail(url, org, MEMBER_STATUS.active),
  accessDisabled: () => statusChangedMail(url, org, MEMBER_STATUS.disabled),
  accessPaused: () => statusChangedMail(url, org, MEMBER_STATUS.inactive),
  accountExists: () => accountExistsMail(url),
  added: ofSuperAdmins(() => ofWebhook('added')),
  addressChanged: () => changeNotice(url, '1@2.example', true),
  addressChanges: () => changeNotice(url, '1@2.example', false),
  addressLost: () => addressLostMail(url),
  addressReturned: () => addressReturnedMail(url),
  addressTaken: () => addressTakenMail(url),
  applicationAdded: ofSuperAdmins(() => anyApplication.wordsOf('added', news)),
  applicationMoved: ofSuperAdmins(() => anyApplication.wordsOf('moved', news)),
  applicationRemoved: ofSuperAdmins(() => anyApplication.wordsOf('removed', news)),
  applicationSecret: ofSuperAdmins(() => anyApplication.wordsOf('secret', news)),
  authenticatorAdded: ofNotice(() => appAddedNotice),
  authenticatorRemoved: ofNotice(() => appRemovedNotice),
  confirmAddress: () => confirmAddressMail(url),
  connected: ofNotice(() => connectedNotice('山', SCOPES)),
  deactivated: () => restoreMail(url, at, null),
  declined: () => declinedMail(organization, person),
  deskAsked: () => deskMail('asked', '山'),
  deskBudget: () => deskMail('budget', '山'),
  deskNamed: () => deskMail('named', '山'),
  deskRemoved: () => deskMail('removed', '山'),
  exportReady: () => exportReadyMail(url),
  invitation: () => invitationMail(url, { ...invited, hasOpenedAccount: false }),
  invitationToAccount: () => invitationMail(url, { ...invited, hasOpenedAccount: true }),
  lastRecoveryCodeUsed: ofNotice(() => usedRecoveryCodeNotice(0)),
  lifted: ofNotice(() => liftedNotice),
  linked: ofNotice(() => linkedNotice('google', 'ann@gmail.example')),
  moved: ofSuperAdmins(() => ofWebhook('moved')),
  newAddress: () => newAddressMail(url),
  newDevice: ofNotice(() => newDeviceNotice('curl', at, null)),
  organizationExportReady: () => organizationExportReadyMail(url, { organization, urlName: '1' }),
  passkeyAdded: ofNotice(() => passkeyAddedNotice('山')),
  passkeyCopied: ofNotice(() => copiedPasskeyNotice),
  passkeyRemoved: ofNotice(() => passkeyRemovedNotice('山')),
  passwordChanged: ofNotice(() => passwordNotice),
  passwordEnded: () => passwordEndedMail(url),
  passwordReset: ofNotice(() => resetNotice),
  recoveryCodesRenewed: ofNotice(() => recoveryCodesNotice),
  recoveryCodeUsed: ofNotice(() => usedRecoveryCodeNotice(3)),
  removed: () => removedMail(organization),
  webhookRemoved: ofSuperAdmins(() => ofWebhook('removed')),
  resetAsked: ofNotice(() => resetAskedNotice(at, null)),
  reset: () => resetMail(url, [], false),
  resetOfCompany: () => resetOfCompanyMail(url, { organization, urlName: 'acme' }, false),
  resetWithoutPassword: () => resetMail(url, ['google', 'facebook'], false),
  restored: ofNotice(() => restoredNotice),
  restricted: ofNotice(() => restrictedNotice(at, null)),
  restrictedUntilLifted: ofNotice(() => restrictedNotice(UNTIL_LIFTED, null)),
  roleChanged: () => roleChangedMail(url, org, '課'),
  secondStepAsked: () => secondStepAskedMail(url, rule),
  secondStepsReset: ofNotice(() => secondStepsResetNotice),
  secret: ofSuperAdmins(() => ofWebhook('secret')),
  sessionsEnded: ofNotice(() => sessionsEndedNotice),
  setBack: () => setBackMail(url),
  signInCode: () => codeMail('signInCode'),
  stepUpCode: () => codeMail('stepUpCode'),
  strongStepAsked: () => secondStepAskedMail(url, { ...rule, rule: 'strong' }),
  switchedOff: ofSuperAdmins(() => switchedOffWords({ organization, address: url.href, reason: '429' })),
  switchedOffOfSuite: () => switchedOffOfSuiteMail({ address: url.href, reason: '429' }),
  twoStepOff: ofNotice(() => twoStepNotice(false)),
  twoStepOn: ofNotice(() => twoStepNotice(true)),
  unlinked: ofNotice(() => unlinkedNotice('google')),
  urlNameReplaced: () => urlNameMail({ organization, before: '1', after: '2' }, url.href),
  wayBack: () => wayBackMail(url),
  wrongCodes: ofNotice(() => wrongCodesNotice),
};

const foreignIn = async (to: string, language: PseudoLanguage, count: number) => {
  const letters = await app.mails(to);
  expect(letters).toHaveLength(count);
  return letters.flatMap(({ subject, text, html }) => {
    expect(html).toContain(`<html lang="${language}" dir="${language === 'en-XA' ? 'ltr' : 'rtl'}">`);
    return foreignWords(language, [subject, text, visibleText(html)].join('\n'));
  });
};

test.for(pairs)(
  'each mail of a person in $actor reaches one in $receiver, and names the brand',
  async ({ actor, receiver }) => {
    const { id, email } = await somebody(app);
    const digest = newDigestSeed(app.deps.keys, 'not-me');
    await updateRows(app, 'users', { id }, { language: receiver });
    await inLanguage(actor, () =>
      transaction(app.deps.sql, async (tx) => {
        for (const write of Object.values(mails))
          await queueMail(tx, app.deps, { userId: id, to: email, content: write(), digest });
      }),
    );
    expect(await foreignIn(email, receiver, Object.keys(mails).length)).toEqual([]);
  },
);

test.for(pairs)('news of $actor that wait reach a person in $receiver', async ({ actor, receiver }) => {
  const northwind = await company(app);
  const { orgId } = northwind;
  const admin = await northwind.join('superAdmin');
  await updateRows(app, 'users', { id: admin.id }, { language: receiver });
  await updateRows(app, 'organizations', { id: orgId }, { name: organization });
  const owner = { ...admin, confirmed_at: at };
  await inLanguage(actor, () =>
    transaction(app.deps.sql, async (tx) => {
      for (let times = 0; times < 3; times += 1) {
        await tellOwner(tx, app.deps, owner, 'passkeyAdded', passkeyAddedNotice('山'));
        const news = { kind: 'webhook.added', words: ofWebhook('added') };
        await tellSuperAdmins(tx, app.deps, { orgId, urlName: '1' }, news, 'recentactivity');
      }
    }),
  );
  await app.mails();
  app.clock.forward(QUIET_MS);
  expect(await foreignIn(admin.email, receiver, 4)).toEqual([]);
});

test('a mail in Arabic runs from right to left, but its code and address do not', () => {
  const { html } = inLanguage('ar', codeMail('signInCode'));
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toMatch(/<strong dir="ltr"[^>]*>\{\{code\}\}/);
  expect(inLanguage('ar', newAddressMail(url)).html).toMatch(/<p class="quiet" dir="ltr"/);
});
