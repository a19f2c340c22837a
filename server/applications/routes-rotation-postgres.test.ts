import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { rotateSigningKeys } from './keys.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { ask, redeem, setting, VERIFIER } from '#server/testing/applications.ts';
import { RACE_TIMEOUT, usePair } from '#server/testing/races.ts';
import { lastingSessions } from '#server/testing/start-app.ts';

const pair = usePair({ ...lastingSessions, RATE_LIMIT_FACTOR: '1000' });
const [app] = pair;

/** An application keeps its copy of the key set for less than the day in which a new key is only published. */
const COPY_HOURS = 23;
const copyKeys = async () =>
  createLocalJWKSet((await (await fetch(`${app.url}/oidc/jwks`)).json()) as JSONWebKeySet);
const rotate = () => transaction(app.deps.sql, (tx) => rotateSigningKeys(tx, app.deps));

test(
  'every ID token of two processes verifies with an old copy of the key set while keys rotate',
  RACE_TIMEOUT,
  async () => {
    const at = await setting(app);
    const exchange = async (one: (typeof pair)[number]) => {
      const code = (await ask(at)).searchParams.get('code') ?? '';
      return (await redeem(one, at.application, code, VERIFIER)).id_token ?? '';
    };
    let keys = await copyKeys();
    const signers = new Set<string | undefined>();
    for (let hour = 0; hour <= 3 * COPY_HOURS; hour += 1) {
      const load = [...pair, ...pair].map(exchange);
      if (hour === 1 || hour === 30) await rotate();
      for (const token of await Promise.all(load)) {
        signers.add(decodeProtectedHeader(token).kid);
        await jwtVerify(token, keys);
      }
      app.clock.forward(HOUR_MS);
      if (hour % COPY_HOURS === 0) keys = await copyKeys();
    }
    expect(signers.size).toBe(3);
  },
);
