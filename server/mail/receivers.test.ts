import { describe, expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import { webhookMailText } from '#words/webhook-mail.ts';
import * as accounts from '#server/accounts/mail.ts';
import * as deletion from '#server/accounts/deletion/mail.ts';
import { anyApplication } from '#server/applications/own.ts';
import { connectedNotice } from '#server/applications/grants.ts';
import * as exported from '#server/data-export/mail.ts';
import { inLanguage } from '#server/language.ts';
import { letterOf, mailOf, type Notice } from '#server/mail/frame.ts';
import type { WriteMail } from '#server/mail/outbox.ts';
import { invitationMail } from '#server/members/invitations/mail.ts';
import { declinedMail } from '#server/members/joining/mail.ts';
import * as members from '#server/members/mail.ts';
import * as operator from '#server/operator/mail.ts';
import { urlNameMail } from '#server/organizations/mail.ts';
import { secondStepAskedMail } from '#server/organizations/second-step/mail.ts';
import * as contact from '#server/profile/contact/mail.ts';
import * as password from '#server/profile/password/mail.ts';
import * as restored from '#server/profile/restore/mail.ts';
import * as authenticator from '#server/sign-in/authenticator/mail.ts';
import * as challenge from '#server/sign-in/challenge/mail.ts';
import { newDeviceNotice } from '#server/sign-in/completion/mail.ts';
import * as factors from '#server/sign-in/factors/mail.ts';
import * as passkeys from '#server/sign-in/passkeys/mail.ts';
import { recoveryCodesNotice } from '#server/sign-in/recovery-codes/mail.ts';
import * as recovery from '#server/sign-in/recovery/mail.ts';
import { twoStepNotice } from '#server/sign-in/step-up/mail.ts';
import * as social from '#server/social/mail.ts';
import * as webhooks from '#server/webhooks/deliveries/mail.ts';

const url = new URL('https://accounts.example');
const at = new Date('2026-05-04T10:00:00Z');
const acme = { orgId: 7 as OrgId, organization: 'Acme' };
const invited = { organization: 'Acme', role: 'Boss', inviter: 'Ann', days: 7 };
const failing = { organization: 'Acme', address: 'https://hook.example', reason: '500' };
const changed = { organization: 'Acme', name: 'Sign', person: 'Ann' };
const noticed = (notice: Notice) => accounts.noticeMail(url, notice);

const mails: Readonly<Record<string, () => readonly WriteMail[]>> = {
  accounts: () => [
    accounts.confirmAddressMail(url),
    accounts.accountExistsMail(url),
    deletion.restoreMail(url, at, 'Asia/Tokyo'),
    noticed(deletion.restoredNotice),
    ...[true, false].map((hasOpenedAccount) => invitationMail(url, { ...invited, hasOpenedAccount })),
  ],
  members: () => [
    declinedMail('Acme', 'Tom'),
    members.roleChangedMail(url, acme, 'Boss'),
    ...([2, 3, 4] as const).map((status) => members.statusChangedMail(url, acme, status)),
    members.removedMail('Acme'),
    urlNameMail({ organization: 'Acme', before: 'login', after: 'login-2' }, url.href),
    ...(['any', 'strong'] as const).map((rule) =>
      secondStepAskedMail(url, { organization: 'Acme', rule, from: at }),
    ),
  ],
  'the operator': () =>
    [
      operator.sessionsEndedNotice,
      operator.restrictedNotice(at),
      operator.secondStepsResetNotice,
      operator.liftedNotice,
    ].map(noticed),
  addresses: () => [
    contact.newAddressMail(url),
    contact.addressTakenMail(url),
    ...[true, false].map((done) => contact.changeNotice(url, 'new@acme.example', done)),
    restored.wayBackMail(url),
    restored.setBackMail(url),
  ],
  'ways in': () => [
    ...[
      password.passwordNotice,
      recovery.passwordNotice,
      authenticator.appAddedNotice,
      authenticator.appRemovedNotice,
      challenge.restrictedNotice,
      newDeviceNotice('Firefox', at),
      factors.copiedPasskeyNotice,
      factors.usedRecoveryCodeNotice(0),
      factors.usedRecoveryCodeNotice(3),
      passkeys.passkeyAddedNotice('Key'),
      passkeys.passkeyRemovedNotice('Key'),
      recoveryCodesNotice,
      twoStepNotice(true),
      twoStepNotice(false),
      social.linkedNotice('google'),
      social.unlinkedNotice('facebook'),
      connectedNotice('Sign', ['openid', 'email']),
    ].map(noticed),
    ...(['signInCode', 'stepUpCode'] as const).map(challenge.codeMail),
    recovery.resetMail(url, []),
    recovery.resetMail(url, ['google', 'facebook']),
  ],
  'data and applications': () => [
    exported.exportReadyMail(url),
    exported.organizationExportReadyMail(url, { organization: 'Acme', urlName: 'acme' }),
    letterOf(webhooks.switchedOffWords(failing), url.href),
    webhooks.switchedOffOfSuiteMail(failing),
    ...(['added', 'moved', 'secret', 'removed'] as const).flatMap((mail) => [
      letterOf(anyApplication.wordsOf(mail, changed), url.href),
      mailOf(webhookMailText[mail], { organization: 'Acme', address: 'x', person: 'Ann' }, url.href),
    ]),
  ],
};

const JAPANESE = /[\u3040-\u30FF\u4E00-\u9FFF]/;

describe('a mail that somebody causes in another language is in its receiver’s alone', () => {
  test.each(Object.entries(mails))('%s', (_, make) => {
    const caused = inLanguage('ja', make);
    const own = inLanguage('de', () => make().map((write) => write()));
    expect(inLanguage('de', () => caused.map((write) => write()))).toEqual(own);
    for (const { subject, text, html } of own) {
      expect(subject + text + html).not.toMatch(JAPANESE);
      expect(html).toContain('<html lang="de" dir="ltr">');
      for (const link of text.match(/https:\/\/accounts\S+/g) ?? []) expect(link).toContain('language=de');
    }
    const english = make().map((write) => write());
    for (const [at, { subject, text }] of inLanguage('ja', () => caused.map((write) => write())).entries()) {
      expect([subject, text].every((words) => JAPANESE.test(words))).toBe(true);
      expect(english[at]?.subject).not.toBe(own[at]?.subject);
    }
  });
});

test('a mail in Arabic runs from right to left, but its code and address do not', () => {
  const { html } = inLanguage('ar', challenge.codeMail('signInCode'));
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toMatch(/<strong dir="ltr"[^>]*>\{\{code\}\}/);
  expect(inLanguage('ar', contact.newAddressMail(url)).html).toMatch(/<p class="quiet" dir="ltr"/);
});
