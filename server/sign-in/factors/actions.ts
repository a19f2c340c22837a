// The parts that sign-in and settings share for second steps: challenges and checks of passkeys, codes, and notices.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { TOTP, Secret } from 'otpauth';
import { refuse } from '#contract/errors.ts';
import { PASSKEY_MINUTES, RECOVERY_CODES } from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import { RECOVERY_CHARACTERS, RECOVERY_LETTERS } from '#contract/sign-in/other-steps.ts';
import type { Assertion } from '#contract/split-by-bytes/passkey-parts.ts';
import type { notifiedText } from '#words/notified.ts';
import { refusalText } from '#words/refusal.ts';
import { secondStepMailText } from '#words/second-step-mail.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Method } from '#server/db/tables.ts';
import { everyKey, type FormerKey } from '#server/db/former-keys.ts';
import type { Deps } from '#server/deps.ts';
import { endQuiet, startQuiet } from '#server/jobs/quiet.ts';
import { mac, sha256, unseal } from '#server/keys.ts';
import type { Notice } from '#server/mail/frame.ts';
import {
  markPastUsed,
  findApp,
  findFactors,
  findPasskey,
  findRecoveryCode,
  listPasskeys,
  replaceRecoveryCodes,
  touchPasskey,
  useAppStep,
  usePasskeyChallenge,
  useRecoveryCode,
} from './data.ts';
import { copiedPasskeyNotice, usedRecoveryCodeNotice } from './notices.ts';
import { mayBeCopy } from './rules.ts';

/** The owner of second steps, such as an `Account`. */
type Owner = { readonly id: UserId; readonly email: string | null; readonly confirmed_at: Date | null };
type Change = keyof typeof notifiedText.wayInChanged;

/** Notifies the owner of a change in the panel and by mail. An unproven mailbox may belong to a stranger. */
export async function tellOwner(tx: Tx, deps: Deps, owner: Owner, change: Change, notice: Notice) {
  await notify(tx, deps, owner.id, { kind: 'way_in_changed', details: { change } });
  if (owner.confirmed_at) await mailChange(tx, deps, owner, notice);
}

/** Mails a change of ways in at once, unless a quiet time runs. Call it under the account's lock. */
export async function mailChange(tx: Tx, deps: Deps, owner: Omit<Owner, 'confirmed_at'>, notice: Notice) {
  const { id: userId } = owner;
  const job = { kind: 'way-in-news', lane: `way-in-news:${userId}`, payload: { userId }, userId };
  if (await startQuiet(tx, deps, job, notice)) await mailNotice(tx, deps, owner, notice);
}

/** Ends a quiet time. A mail about what changed meanwhile starts another one. */
export const endQuietOfOwner = (deps: Deps, userId: UserId, jobId: number) =>
  transaction(deps.sql, async (tx) => {
    const owner = await lockAccount(tx, userId, deps.clock.now());
    const news = await endQuiet(tx, jobId, () => secondStepMailText.severalChanges);
    if (owner && news) await mailChange(tx, deps, owner, () => ({ about: 'twoStep', ...news() }));
  });

export type PasskeyFlow = {
  readonly purpose: 'register' | 'sign-in' | 'second-step' | 'prove' | 'desk';
  readonly binding: string;
};

/** Browsers bind passkeys to a host name and refuse IP addresses (WebAuthn, section 5.1.3). */
export const supportsPasskeys = ({ config }: Pick<Deps, 'config'>) =>
  isIP(config.publicUrl.hostname.replace(/^\[|\]$/g, '')) === 0;
export const relyingParty = ({ config }: Pick<Deps, 'config'>) => ({
  rpID: config.publicUrl.hostname,
  origin: config.publicUrl.origin,
});

/** The library for passkeys, loaded at the first one. */
export const webAuthn = () => import('@simplewebauthn/server');

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const challengeMac = (key: Deps['keys'][number], head: Buffer, { purpose, binding }: PasskeyFlow) =>
  mac(key.derive('passkey-challenge'), `${head.toString('base64url')}.${purpose}.${binding}`);

/** Nonce, expiry and MAC. It needs no row until it is answered, so a stranger who opens pages fills no table. */
export function newPasskeyChallenge({ keys: [key], clock }: Deps, flow: PasskeyFlow) {
  const expiry = Buffer.alloc(TIME_BYTES);
  expiry.writeUIntBE(fromNow(clock, PASSKEY_MINUTES * MINUTE_MS).getTime(), 0, TIME_BYTES);
  const head = Buffer.concat([randomBytes(NONCE_BYTES), expiry]);
  return Uint8Array.from(Buffer.concat([head, challengeMac(key, head, flow)]));
}

export function isPasskeyChallenge({ keys, clock }: Deps, challenge: string, flow: PasskeyFlow) {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const mac = bytes.subarray(head.length);
  return (
    head.length === NONCE_BYTES + TIME_BYTES &&
    keys.some((key) => {
      const ownMac = challengeMac(key, head, flow);
      return mac.length === ownMac.length && timingSafeEqual(mac, ownMac);
    }) &&
    expiryOf(challenge) > clock.now()
  );
}
const expiryOf = (challenge: string) =>
  new Date(Buffer.from(challenge, 'base64url').readUIntBE(NONCE_BYTES, TIME_BYTES));

/** Uses a challenge up. Returns false if it was answered before. */
export const spendChallenge = async (tx: Tx, challenge: string) =>
  (await usePasskeyChallenge(tx, sha256(challenge), expiryOf(challenge))) !== undefined;

/** The request for a passkey, for `navigator.credentials.get`. `userId` narrows it to one person's passkeys. */
export async function passkeyRequest(deps: Deps, flow: PasskeyFlow, userId?: UserId) {
  const rows = userId === undefined ? [] : await listPasskeys(deps.sql, userId);
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps).rpID,
    challenge: newPasskeyChallenge(deps, flow),
    userVerification: 'required',
    timeout: PASSKEY_MINUTES * MINUTE_MS,
    allowCredentials: rows.map(({ credential_id, transports }) => ({
      id: Buffer.from(credential_id).toString('base64url'),
      transports,
    })),
  });
  return { options: options as unknown as Readonly<Record<string, unknown>> };
}

/** A checked signature, to be used in the transaction that acts on it. */
export type PasskeyProof = {
  readonly userId: UserId;
  readonly method: Method;
  readonly flow: PasskeyFlow;
  readonly challenge: string;
  readonly credentialId: Uint8Array;
  readonly signCount: number;
  readonly isSynced: boolean;
};

/** Checks the signature of a passkey (WebAuthn, section 7.2). The answer must belong to one of the flows. */
export async function checkPasskey(deps: Deps, assertion: Assertion, flows: readonly PasskeyFlow[]) {
  const passkey = await findPasskey(deps.sql, Buffer.from(assertion.id, 'base64url'));
  if (!passkey) return refuse('passkey_unknown');
  const { userHandle, ...response } = assertion.response;
  // A discoverable passkey always names its owner.
  if (userHandle && !Buffer.from(userHandle, 'base64url').equals(Buffer.from(passkey.handle)))
    return refuse('passkey_invalid');
  const { rpID, origin } = relyingParty(deps);
  let signedChallenge: { flow: PasskeyFlow; challenge: string } | undefined;
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, response, clientExtensionResults: {} },
      // Check the signed challenge, not a copy beside it.
      expectedChallenge: (challenge) => {
        const flow = flows.find((candidate) => isPasskeyChallenge(deps, challenge, candidate));
        signedChallenge = flow && { flow, challenge };
        return signedChallenge !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: assertion.id,
        publicKey: Uint8Array.from(passkey.public_key),
        // `usePasskey` compares the counts: a smaller one causes a notice, not a refusal.
        counter: 0,
      },
    });
    if (!verified || !signedChallenge) return refuse('passkey_invalid');
    const isSynced = authenticationInfo.credentialBackedUp;
    return {
      ...signedChallenge,
      userId: passkey.user_id,
      method: isSynced ? ('swk' as const) : ('hwk' as const),
      credentialId: passkey.credential_id,
      signCount: authenticationInfo.newCounter,
      isSynced,
    } satisfies PasskeyProof;
  } catch (error) {
    deps.log.warn({ event: 'passkey refused', userId: passkey.user_id, err: error }, 'a passkey was refused');
    return refuse('passkey_invalid');
  }
}

/** Uses a checked signature once. Call it under the account's lock. */
export async function usePasskey(tx: Tx, deps: Deps, owner: Owner, proof: PasskeyProof) {
  if (!(await spendChallenge(tx, proof.challenge))) return refuse('passkey_invalid');
  const { signCount, isSynced } = proof;
  const now = deps.clock.now();
  const former = await touchPasskey(tx, proof.credentialId, { signCount, isSynced, now });
  if (former === undefined) return refuse('passkey_unknown');
  if (mayBeCopy(former, signCount)) {
    deps.log.warn(
      { event: 'passkey may be copied', userId: owner.id, former, signCount },
      'a sign count fell',
    );
    await tellOwner(tx, deps, owner, 'passkeyMayBeCopied', copiedPasskeyNotice);
  }
  return undefined;
}

// The authenticator app.

export const APP_PURPOSE = 'authenticator';

export const totpOf = (secret: Secret, label = '') => new TOTP({ issuer: product.name, label, secret });
const PERIOD_SECONDS = 30;
const DRIFT_STEPS = 1;
const stepAt = (now: Date) => Math.floor(now.getTime() / 1000 / PERIOD_SECONDS);

/** The time step of a right code, one step of drift either way (RFC 6238, section 5.2). */
export function appStepOf({ clock }: Pick<Deps, 'clock'>, secret: Secret, code: string): number | undefined {
  const now = clock.now();
  const drift = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: DRIFT_STEPS });
  return drift === null ? undefined : stepAt(now) + drift;
}

/** A right code that was used already. It is no guess, so it does not count as one. */
const refuseUsed = () => refuse('otp_invalid', { details: refusalText.codeUsed });

/** The time step of a right code of the person's app, or a refusal if it was used already. */
export async function checkAppCode(sql: Db, deps: Deps, userId: UserId, code: string) {
  const app = await findApp(sql, userId);
  if (!app) return undefined;
  const secret = Secret.fromBase32(unseal(deps.keys, APP_PURPOSE, app.secret, userId));
  const step = appStepOf(deps, secret, code);
  return step !== undefined && step <= app.last_step ? refuseUsed() : step;
}

/** Uses a checked code of the app. Of two concurrent uses one wins. */
export const useAppCode = async (tx: Tx, { clock }: Deps, userId: UserId, step: number) =>
  (await useAppStep(tx, userId, step, clock.now())) ? undefined : refuseUsed();

// Recovery codes.

const recoveryHash = (key: FormerKey, userId: UserId, code: string) =>
  mac(key.derive('recovery-code'), `${userId}:${code}`);

/** Replaces a person's recovery codes and returns the new ones. Only their hashes are stored. */
export async function makeRecoveryCodes(tx: Tx, { keys: [key], clock }: Deps, userId: UserId) {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    // 32 letters divide 256, so each is equally likely.
    Array.from(randomBytes(RECOVERY_CHARACTERS), (byte) => RECOVERY_LETTERS[byte % 32]).join(''),
  );
  const hashes = codes.map((code) => recoveryHash(key, userId, code));
  await replaceRecoveryCodes(tx, userId, hashes, clock.now());
  return codes.map(
    (code) => `${code.slice(0, RECOVERY_CHARACTERS / 2)}-${code.slice(RECOVERY_CHARACTERS / 2)}`,
  );
}

/** Makes recovery codes for a person who has none left. */
export const makeMissingRecoveryCodes = async (tx: Tx, deps: Deps, userId: UserId) =>
  (await findFactors(tx, userId)).recoveryCodesLeft > 0 ? null : makeRecoveryCodes(tx, deps, userId);

/** The hash of a right recovery code, or undefined. */
export async function checkRecoveryCode(sql: Db, { keys }: Deps, userId: UserId, code: string) {
  const hashes = (await everyKey(sql, keys)).map((key) => recoveryHash(key, userId, code));
  return (await findRecoveryCode(sql, userId, hashes))?.code_hash;
}

export const refuseRecoveryCode = () => refuse('otp_invalid', { details: refusalText.wrongRecoveryCode });

export async function spendRecoveryCode(tx: Tx, deps: Deps, owner: Owner, hash: Uint8Array) {
  const codesLeft = await useRecoveryCode(tx, owner.id, hash, deps.clock.now());
  if (codesLeft === undefined) return refuseRecoveryCode();
  await recordActivity(tx, deps, 'person.recoveryCode.change', {
    userId: owner.id,
    information: { left: [codesLeft + 1, codesLeft] },
  });
  const change = codesLeft === 0 ? 'lastRecoveryCodeUsed' : 'recoveryCodeUsed';
  await tellOwner(tx, deps, owner, change, usedRecoveryCodeNotice(codesLeft));
  return undefined;
}

/** A restored database has forgotten their latest uses. Notifies the owners of recovery codes. */
export async function invalidatePastCodes(tx: Tx, deps: Deps) {
  const now = deps.clock.now();
  const challengesUntil = fromNow(deps.clock, PASSKEY_MINUTES * MINUTE_MS);
  for (const userId of await markPastUsed(tx, { now, lastStep: stepAt(now) + DRIFT_STEPS, challengesUntil }))
    await notify(tx, deps, userId, { kind: 'way_in_changed', details: { change: 'recoveryCodesEnded' } });
}
