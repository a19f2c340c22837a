import { Secret } from 'otpauth';
import { renderSVG } from 'uqr';
import * as z from 'zod/mini';
import type { Details } from '#contract/activity/recorded.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { AUTHENTICATOR_SETUP_MINUTES } from '#contract/limits.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { authenticator } from '#contract/sign-in/authenticator.ts';
import { findUser } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';
import { listMemberships } from '#server/access/data.ts';
import { strictestStep } from '#server/access/rules.ts';
import { inSession, type SessionOwner } from '#server/sessions/actions.ts';
import { noteStep } from '#server/sessions/data.ts';
import { deleteApp, storeApp } from './data.ts';
import { appAddedNotice, appRemovedNotice } from '#server/sign-in/factors/notices.ts';
import { setMfa, findFactors } from '#server/sign-in/factors/data.ts';
import {
  APP_PURPOSE,
  appStepOf,
  makeMissingRecoveryCodes,
  tellOwner,
  totpOf,
} from '#server/sign-in/factors/actions.ts';
import { appLock, withoutApp } from '#server/sign-in/factors/rules.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';
import { endWeakRecoveryCodes, refuseWeakSession } from '#server/sign-in/step-changes/guards.ts';

/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;

const setupForm = z.object({ session: z.number(), secret: z.string(), until: z.number() });
const SETUP_PURPOSE = 'authenticator-setup';

/** A new secret for the caller's app. It is stored after its first code. */
export async function beginAppSetup(
  deps: Deps,
  caller: SessionOwner,
  secret = new Secret({ size: SECRET_BYTES }),
) {
  const { userId, sessionId } = caller;
  const user = await findUser(deps.sql, userId);
  if (!user) return refuse('not_signed_in');
  const weak = await refuseWeakSession(deps.sql, deps, caller);
  if (weak) return weak;
  const label = user.email ?? personName(user.first_name, user.last_name, user.email);
  const until = fromNow(deps.clock, AUTHENTICATOR_SETUP_MINUTES * MINUTE_MS).getTime();
  const setup = JSON.stringify({ session: sessionId, secret: secret.base32, until });
  const link = totpOf(secret, label).toString();
  return {
    secret: secret.base32,
    link,
    qrCode: renderSVG(link, { border: 2 }),
    setup: seal(deps.keys, SETUP_PURPOSE, setup).toString('base64url'),
  };
}

/** The secret of a setup that this session began, or undefined. */
function openSetup(deps: Deps, { sessionId }: SessionOwner, sealed: string): Secret | undefined {
  try {
    const text = unseal(deps.keys, SETUP_PURPOSE, Buffer.from(sealed, 'base64url'));
    const { session, secret, until } = z.parse(setupForm, JSON.parse(text));
    const isValid = session === sessionId && until > deps.clock.now().getTime();
    return isValid ? Secret.fromBase32(secret) : undefined;
  } catch {
    // Somebody changed it, or its key is gone.
    return undefined;
  }
}

/** Turns two-step sign-in on, ends remembered browsers (they were for another step), makes missing recovery codes. */
export async function finishAppSetup(
  deps: Deps,
  caller: SessionOwner,
  { setup, code }: Input<typeof authenticator.finishSetup>,
) {
  const secret = openSetup(deps, caller, setup);
  if (!secret) return refuse('otp_expired');
  const step = appStepOf(deps, secret, code);
  if (step === undefined) return refuse('otp_invalid');
  return inSession(deps, caller, async (tx, account) => {
    const weak = await refuseWeakSession(tx, deps, caller);
    if (weak) return weak;
    await endWeakRecoveryCodes(tx, caller.userId);
    const sealed = seal(deps.keys, APP_PURPOSE, secret.base32, caller.userId);
    const app = { user_id: caller.userId, secret: sealed, last_step: step };
    await storeApp(tx, { ...app, created_at: deps.clock.now(), last_used_at: null });
    await deleteRemembered(tx, caller.userId);
    await setMfa(tx, caller.userId, true);
    await noteStep(tx, caller.sessionId, 'otp', 'app');
    const change: Details = account.mfa_enabled ? {} : { mfa_enabled: [false, true] };
    await recordActivity(tx, deps, 'person.authenticatorApp.create', {
      userId: caller.userId,
      information: change,
    });
    await tellOwner(tx, deps, account, 'authenticatorAdded', appAddedNotice);
    return { recoveryCodes: await makeMissingRecoveryCodes(tx, deps, caller.userId) };
  });
}

/** Unless an organization asks for it. Turns two-step sign-in off if no step is left to ask for. */
export const removeApp = (deps: Deps, caller: SessionOwner) =>
  inSession(deps, caller, async (tx, account) => {
    const weak = await refuseWeakSession(tx, deps, caller);
    if (!(await deleteApp(tx, caller.userId))) return refuse('not_found');
    const own = { ...(await findFactors(tx, caller.userId)), isTwoStepOn: account.mfa_enabled };
    const { isTwoStepOn } = withoutApp(own);
    const lock = appLock(strictestStep(await listMemberships(tx, caller.userId), deps.clock.now()).rule, own);
    if (lock) return refuse(lock);
    if (weak) return weak;
    await deleteRemembered(tx, caller.userId);
    if (account.mfa_enabled && !isTwoStepOn) await setMfa(tx, caller.userId, false);
    const change: Details = account.mfa_enabled === isTwoStepOn ? {} : { mfa_enabled: [true, false] };
    await recordActivity(tx, deps, 'person.authenticatorApp.delete', {
      userId: caller.userId,
      information: change,
    });
    await tellOwner(tx, deps, account, 'authenticatorRemoved', appRemovedNotice);
    return {};
  });
