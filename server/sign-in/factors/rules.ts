import type { SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { Lock, Passkey } from '#contract/sign-in/passkeys.ts';
import { hasStrong, isReady, type Means } from '#server/access/rules.ts';

/** Password managers and security keys by the AAGUID that their passkeys carry. */
const providers: Readonly<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  'b5397666-4885-aa6b-cebf-e52262a439a2': 'Chromium',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  'f3809540-7f14-49c1-a8b3-8f813b225541': 'Enpass',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'ee882879-721c-4913-9775-3dfcce97072a': 'YubiKey 5',
  'cb69481e-8ff7-4039-93ec-0a2729a154a8': 'YubiKey 5',
  'fa2b99dc-9e39-4257-8f92-4a30d23c4118': 'YubiKey 5 NFC',
  '2fc0579f-8113-47ea-b116-bb5a8db9202a': 'YubiKey 5 NFC',
  'c5ef55ff-ad9a-4b9f-b580-adebafe026d0': 'YubiKey 5Ci',
};

export const passkeyProvider = (aaguid: string): string | null => providers[aaguid] ?? null;

type Place = { readonly transports: readonly string[]; readonly isSynced: boolean };
/** Where a passkey lives. A security key is reached by cable or radio only. */
export const passkeyKind = ({ transports, isSynced }: Place): Passkey['kind'] => {
  if (isSynced) return 'synced';
  const isExternal = transports.some((name) => ['usb', 'nfc', 'ble', 'smart-card'].includes(name));
  return isExternal && !transports.includes('internal') ? 'security-key' : 'device';
};

export type Factors = Omit<Means, 'isTwoStepOn'>;
export const secondSteps = ({
  passkeys,
  hasApp,
  recoveryCodesLeft,
  isMailConfirmed,
}: Factors): SecondStep[] => {
  // Sign-in offers them in this order.
  const has: Readonly<Record<SecondStep, boolean>> = {
    passkey: passkeys > 0,
    app: hasApp,
    mail: isMailConfirmed,
    recovery: recoveryCodesLeft > 0,
  };
  return (Object.keys(has) as SecondStep[]).filter((step) => has[step]);
};

const neededBy = (rule: SecondStepRule, rest: Means) =>
  isReady(rule, rest) ? null : ('second_step_needed' as const);

/** A recovery code counts as the step that it replaces: a strong one, or else the mailed code. */
export const replacedStep = (factors: Pick<Factors, 'passkeys' | 'hasApp'>) =>
  hasStrong(factors) ? 'recovery' : 'mail';

/** Whether the person still meets a rule after losing any one device or sheet. A mailbox does not get lost like that. */
export const hasSpare = (rule: SecondStepRule, own: Means) =>
  rule === 'none' ||
  (rule === 'any' && own.isTwoStepOn && own.isMailConfirmed) ||
  own.passkeys + Number(own.hasApp) + Number(own.recoveryCodesLeft > 0) > 1;

export const passkeyLock = (rule: SecondStepRule, own: Means, hasOtherWayIn: boolean): Lock =>
  hasOtherWayIn ? neededBy(rule, { ...own, passkeys: own.passkeys - 1 }) : 'last_way_in';
/** Without an app, two-step sign-in stays on only if something is left to ask for. */
export const withoutApp = ({ isTwoStepOn, ...own }: Means): Means => ({
  ...own,
  hasApp: false,
  isTwoStepOn: isTwoStepOn && (own.isMailConfirmed || own.passkeys > 0),
});
export const appLock = (rule: SecondStepRule, own: Means): Lock => neededBy(rule, withoutApp(own));
export const twoStepLock = (rule: SecondStepRule, own: Means): Lock =>
  neededBy(rule, { ...own, isTwoStepOn: false });

/** An authenticator's count that does not grow may mean a copy. Authenticators without a count send 0 (WebAuthn 6.1.1). */
export const mayBeCopy = (last: number, next: number) => (last > 0 || next > 0) && next <= last;
