import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { rotateSigningKeys } from '#server/applications/keys/actions.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { freePort } from '#server/testing/ports.ts';
import { signInCall } from './load.ts';
import { withDeps } from './people.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import { authorization, register, turn, VERIFIER, wiresTo } from './sign-outs.ts';
import { cookieFrom, type Wire } from './wire.ts';

/** An application keeps its copy of the key set this long; in real life it is less than a day. */
const COPY_MS = 20 * SECOND_MS;
/**
 * Processes look for new keys once per minute, and applications renew their copies after `COPY_MS`. So every copy has
 * a new key before it signs.
 */
const PUBLISHED_BEFORE_MS = MINUTE_MS + COPY_MS + 10 * SECOND_MS;
const AT_ONCE = 8;

const rotation: Scenario = {
  ids: ['R21'],
  name: 'Signing keys rotate under load',
  needs: 'cluster',
  run: (drill) => withDeps(drill.stage.inspector, (deps) => measure(drill, deps)),
};

/** Publishes keys as the job does, but they sign sooner: its clock is most of a day behind. */
const rotate = (deps: Deps) => {
  const earlier = () => new Date(Date.now() - DAY_MS + PUBLISHED_BEFORE_MS);
  return transaction(deps.sql, (tx) =>
    rotateSigningKeys(tx, { ...deps, clock: { ...deps.clock, now: earlier } }),
  );
};

async function measure(drill: Drill, deps: Deps) {
  const { stage } = drill;
  const rounds = drill.rounds(3, 3);
  const application = await register(deps, `http://127.0.0.1:${await freePort()}`);
  const portal = new URL(stage.environment['PUBLIC_URL'] ?? '');
  const config = await client.discovery(portal, application.clientId, application.secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  const wires = wiresTo(stage);
  const tokens: string[] = [];
  for (let at = 0; at < AT_ONCE; at += 1) {
    const wire = turn(wires, at);
    const cookie = `portico=${cookieFrom(await wire.ask(signInCall(turn(stage.spares, at))), 'portico')}`;
    tokens.push(await enter(wire, cookie, config, application));
  }

  const copyKeys = async () =>
    createLocalJWKSet((await (await fetch(new URL('/oidc/jwks', portal))).json()) as JSONWebKeySet);
  let keys = await copyKeys();
  const signers = new Map<string, number>();
  const failures: string[] = [];
  const load = new AbortController();
  const renewing = (async () => {
    while (!load.signal.aborted) {
      await pause(COPY_MS);
      keys = await copyKeys();
    }
  })();
  const refreshing = tokens.map(async (token) => {
    while (!load.signal.aborted) {
      const { id_token: idToken = '' } = await client.refreshTokenGrant(config, token);
      const { kid = '' } = decodeProtectedHeader(idToken);
      signers.set(kid, (signers.get(kid) ?? 0) + 1);
      await jwtVerify(idToken, keys).catch((error: Error) => failures.push(error.message));
    }
  });
  for (let round = 0; round < rounds; round += 1) {
    const { kids } = await rotate(deps);
    const isUsed = () => kids.some((kid) => signers.has(kid));
    await until('the new keys', 2 * PUBLISHED_BEFORE_MS + MINUTE_MS, isUsed);
    // The slower process signs with the former key for up to another minute.
    await pause(MINUTE_MS);
  }
  load.abort();
  await Promise.all([renewing, ...refreshing]);
  wires.forEach((wire) => wire.close());
  const total = [...signers.values()].reduce((sum, count) => sum + count, 0);
  const breaches = [
    ...(failures.length > 0 ? [`${failures.length} verifications failed: ${failures[0]}`] : []),
    ...(await stage.breaches()),
  ];
  const summary = `${rounds} rotations, ${total} ID tokens of ${signers.size} keys, each verified with a copy of the keys that was up to ${COPY_MS / SECOND_MS} s old`;
  return [drill.figure({ id: 'R21', ...unless(breaches, summary) })];
}

type Registered = Awaited<ReturnType<typeof register>>;
/** Signs a person in to the application; returns the refresh token. */
async function enter(wire: Wire, cookie: string, config: client.Configuration, application: Registered) {
  const { status, location } = await wire.ask({ method: 'GET', path: authorization(application), cookie });
  if (status !== 303) throw new Error(`entering an application was ${status}`);
  const answer = await client.authorizationCodeGrant(config, new URL(location ?? ''), {
    pkceCodeVerifier: VERIFIER,
  });
  return answer.refresh_token ?? '';
}

export const signingKeyScenarios: readonly Scenario[] = [rotation];
