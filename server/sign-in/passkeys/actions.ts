// People add, rename and remove their own passkeys here, and the pages offer them a first one.
import { randomBytes } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Refusal, refuse } from '#contract/errors.ts';
import { PASSKEY_MINUTES, PASSKEYS_PER_USER_MAX } from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { Registration } from '#contract/split-by-bytes/passkey-parts.ts';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { passkeyText } from '#words/passkey.ts';
import type { UserId } from '#contract/wire.ts';
import { findUser } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { inSession, type SessionOwner } from '#server/sessions/actions.ts';
import { noteStep } from '#server/sessions/data.ts';
import {
  isPasskeyChallenge,
  makeMissingRecoveryCodes,
  newPasskeyChallenge,
  type PasskeyFlow,
  tellOwner,
  relyingParty,
  spendChallenge,
  supportsPasskeys,
  webAuthn,
} from '#server/sign-in/factors/actions.ts';
import { findFactors, listPasskeys } from '#server/sign-in/factors/data.ts';
import { passkeyKind, passkeyProvider } from '#server/sign-in/factors/rules.ts';
import { locksOf } from '#server/sign-in/locks/locks.ts';
import {
  declineOffer,
  deletePasskey,
  hasAnsweredOffer,
  insertPasskey,
  ownerHandle,
  renamePasskey,
} from './data.ts';
import { passkeyAddedNotice, passkeyRemovedNotice } from '#server/sign-in/factors/notices.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { endWeakRecoveryCodes, refuseWeakSession } from '#server/sign-in/step-changes/guards.ts';

/** Ed25519, ES256 and RS256, which all authenticators cover (COSE algorithm identifiers). */
const ALGORITHMS = [-8, -7, -257] as const;

type Shown = Awaited<ReturnType<typeof listPasskeys>>[number];
const toWire = (row: Shown): Passkey => {
  const provider = passkeyProvider(row.aaguid);
  return {
    id: Buffer.from(row.credential_id).toString('base64url'),
    name: row.name ?? provider,
    provider,
    kind: passkeyKind({ transports: row.transports, isSynced: row.is_synced }),
    createdTime: row.created_at,
    lastUsedTime: row.last_used_at,
  };
};
const passkeyName = (row: Shown) => row.name ?? passkeyProvider(row.aaguid) ?? passkeyText.unnamed;
const bytesOf = (id: string) => Buffer.from(id, 'base64url');

export const listOwnPasskeys = async (deps: Deps, userId: UserId) =>
  (await listPasskeys(deps.sql, userId)).map(toWire);

const registerFlow = ({ sessionId }: SessionOwner): PasskeyFlow => ({
  purpose: 'register',
  binding: String(sessionId),
});

/** The argument of `navigator.credentials.create` for a new passkey of the caller (WebAuthn, section 7.1). */
export async function beginPasskey(deps: Deps, caller: SessionOwner) {
  if (!supportsPasskeys(deps)) return refuse('not_allowed', { details: passkeyText.noHostName });
  const weak = await refuseWeakSession(deps.sql, deps, caller);
  if (weak) return weak;
  const rows = await listPasskeys(deps.sql, caller.userId);
  if (rows.length >= PASSKEYS_PER_USER_MAX) return refuse('passkey_limit_reached');
  const user = await findUser(deps.sql, caller.userId);
  if (!user) return refuse('not_signed_in');
  const name = personName(user.first_name, user.last_name, user.email);
  const handle = await transaction(deps.sql, (tx) => ownerHandle(tx, caller.userId, randomBytes(32)));
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: product.name,
    rpID: relyingParty(deps).rpID,
    userID: Uint8Array.from(handle),
    userName: user.email ?? name,
    userDisplayName: name,
    challenge: newPasskeyChallenge(deps, registerFlow(caller)),
    timeout: PASSKEY_MINUTES * MINUTE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: [...ALGORITHMS],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: rows.map(({ credential_id, transports }) => ({
      id: Buffer.from(credential_id).toString('base64url'),
      transports,
    })),
  });
  return { options: options as unknown as Readonly<Record<string, unknown>> };
}

export async function addPasskey(deps: Deps, caller: SessionOwner, credential: Registration) {
  const registration = await checkRegistration(deps, caller, credential);
  if (registration instanceof Refusal) return registration;
  const { key, aaguid, isSynced, challenge } = registration;
  return inSession(deps, caller, async (tx, account) => {
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    if (!(await spendChallenge(tx, challenge))) return refuse('passkey_invalid');
    const { passkeys } = await findFactors(tx, caller.userId);
    if (passkeys >= PASSKEYS_PER_USER_MAX) return refuse('passkey_limit_reached');
    const row = {
      credential_id: bytesOf(key.id),
      user_id: caller.userId,
      public_key: key.publicKey,
      sign_count: key.counter,
      aaguid,
      name: null,
      transports: credential.response.transports ?? [],
      is_synced: isSynced,
      created_at: deps.clock.now(),
      last_used_at: null,
    };
    const endsCodes = await endWeakRecoveryCodes(tx, caller.userId);
    if (!(await insertPasskey(tx, row))) return refuse('passkey_exists');
    const name = passkeyName(row);
    await noteStep(tx, caller.sessionId, isSynced ? 'swk' : 'hwk', 'passkey');
    await recordActivity(tx, deps, 'person.passkey.create', {
      userId: caller.userId,
      information: { passkey: [null, name] },
    });
    await tellOwner(tx, deps, account, 'passkeyAdded', passkeyAddedNotice(name));
    if (endsCodes)
      await notify(tx, deps, account.id, {
        kind: 'way_in_changed',
        details: { change: 'weakRecoveryCodesEnded' },
      });
    return { passkey: toWire(row), recoveryCodes: await makeMissingRecoveryCodes(tx, deps, account.id) };
  });
}

/** Checks a registration (WebAuthn, section 7.1). */
async function checkRegistration(deps: Deps, caller: SessionOwner, credential: Registration) {
  const { rpID, origin } = relyingParty(deps);
  let signedChallenge = '';
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        signedChallenge = challenge;
        return isPasskeyChallenge(deps, challenge, registerFlow(caller));
      },
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return refuse('passkey_invalid');
    return {
      key: registrationInfo.credential,
      aaguid: registrationInfo.aaguid,
      isSynced: registrationInfo.credentialBackedUp,
      challenge: signedChallenge,
    };
  } catch (error) {
    const fields = { event: 'passkey refused', userId: caller.userId, err: error };
    deps.log.warn(fields, 'a new passkey was refused');
    return refuse('passkey_invalid');
  }
}

/** Needs no proof, because a name opens nothing. */
export const renameOwnPasskey = (deps: Deps, caller: SessionOwner, id: string, name: string) =>
  inSession(deps, caller, async (tx) => {
    const row = await findOwn(tx, caller.userId, id);
    if (!row) return refuse('passkey_not_found');
    if (passkeyName(row) === name) return refuse('no_changes');
    await renamePasskey(tx, caller.userId, bytesOf(id), name);
    await recordActivity(tx, deps, 'person.passkey.update', {
      userId: caller.userId,
      information: { passkey: [passkeyName(row), name] },
    });
    return toWire({ ...row, name });
  });

const findOwn = async (tx: Tx, userId: UserId, id: string) =>
  (await listPasskeys(tx, userId)).find((row) => bytesOf(id).equals(Buffer.from(row.credential_id)));

/** Removes a passkey, unless it is the last way in or the last second step that an organization asks for. */
export const removePasskey = (deps: Deps, caller: SessionOwner, id: string) =>
  inSession(deps, caller, async (tx, account) => {
    const row = await findOwn(tx, caller.userId, id);
    if (!row) return refuse('passkey_not_found');
    const { locks } = await locksOf(tx, deps, account);
    if (locks.passkey) return refuse(locks.passkey);
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    // A recovery code that stood in for this passkey may have been remembered.
    await deleteRemembered(tx, caller.userId);
    await deletePasskey(tx, caller.userId, bytesOf(id));
    await recordActivity(tx, deps, 'person.passkey.delete', {
      userId: caller.userId,
      information: { passkey: [passkeyName(row), null] },
    });
    await tellOwner(tx, deps, account, 'passkeyRemoved', passkeyRemovedNotice(passkeyName(row)));
    const handle = await ownerHandle(tx, caller.userId, randomBytes(32));
    return {
      userHandle: Buffer.from(handle).toString('base64url'),
      ids: (await listPasskeys(tx, caller.userId)).map((left) => toWire(left).id),
    };
  });

/** A session that may not add one yet is offered none. */
export const readOffer = async (deps: Deps, caller: SessionOwner) => ({
  isOpen:
    supportsPasskeys(deps) &&
    !(await hasAnsweredOffer(deps.sql, caller.userId)) &&
    !(await refuseWeakSession(deps.sql, deps, caller)),
});
export const closeOffer = ({ sql, clock }: Deps, userId: UserId) =>
  transaction(sql, (tx) => declineOffer(tx, userId, clock.now()).then(() => ({})));
