import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { findPassword } from '#server/accounts/data.ts';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { secretsOf } from '#server/company-sign-in/connections/connections.ts';
import { findConnection } from '#server/company-sign-in/connections/data.ts';
import { companyWithProvider } from '#server/testing/company-provider.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { openSigningKeys } from '#server/applications/keys.ts';
import { keepFormerKeys } from './former-keys.ts';
import { olderKeysInUse } from './sealed.ts';
import { acted } from '#server/testing/operator.ts';
import { hourly } from '#server/hourly.ts';
import { sweepAll } from '#server/jobs/jobs.ts';
import { openKeys } from '#server/keys.ts';
import { createPasswords } from '#server/passwords.ts';
import { checkAppCode, checkRecoveryCode } from '#server/sign-in/factors/actions.ts';
import { confirmed, PASSWORD } from '#server/testing/people.ts';
import { appCode, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { updateRows } from '#server/testing/rows.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)] as const;
const keysOf = (...secretKeys: string[]) => openKeys({ secretKeys, dataDir: '/nowhere' });
const app = useApp({ SECRET_KEY: OLD });

test('after a rotation everything sealed opens with the new key alone, and nobody signed in (D14)', async () => {
  const { visitor, id } = await confirmed(app);
  const userId = id as UserId;
  const { secret, codes } = await setUpApp(app, visitor);
  const unopened = await confirmed(app);
  await updateRows(
    app,
    'passwords',
    { user_id: unopened.id },
    { sealed_phc: Buffer.from(`${keysOf(OLD)[0].id}00`, 'hex') },
  );

  await openSigningKeys(app.deps);
  await acted(app.deps, 'webhooks add', { url: 'https://sign.example/events' });
  const company = await companyWithProvider(app, { isOn: false });

  await keepFormerKeys(app.deps.sql, keysOf(NEW, OLD));
  await sweepAll({ ...app.deps, keys: keysOf(NEW, OLD) }, hourly);
  const left = { keyId: keysOf(OLD)[0].id, isKnown: false, words: 'password', count: 1 };
  expect(await olderKeysInUse(app.deps.sql, keysOf(NEW))).toEqual([left]);

  const stored = await findPassword(app.deps.sql, userId);
  const passwords = createPasswords(keysOf(NEW), app.deps.config);
  expect(await passwords.matches(PASSWORD, stored, 'a')).toBe(true);
  app.clock.forward(60_000);
  const rotated = { ...app.deps, keys: keysOf(NEW) };
  expect(await checkAppCode(app.deps.sql, rotated, userId, appCode(app, secret))).toEqual(expect.any(Number));
  const [code = ''] = codes;
  expect(await checkRecoveryCode(app.deps.sql, rotated, userId, code.replace('-', ''))).toBeDefined();
  expect((await openSigningKeys(rotated)).length).toBe(2);
  const connection = await findConnection(app.deps.sql, company.key.connection_id as ConnectionId);
  expect(connection && secretsOf(rotated, connection)).toEqual([SOCIAL_CLIENT.secret]);
  await company.close();
});
