import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { SECOND_STEP_RULES } from '#contract/organizations/second-step-rule.ts';
import type { SessionId } from '#contract/wire.ts';
import { findFacts, isReadyFor, listMemberships } from './data.ts';
import { isReady } from './rules.ts';
import { company, somebody } from '#server/testing/company.ts';
import { deleteRows, getRow, insertRow, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
const from = new Date('2027-03-01T10:00:00Z');
const states = {
  active: { status: MEMBER_STATUS.active, paused_at: null },
  paused: { status: MEMBER_STATUS.inactive, paused_at: from },
  invited: { status: MEMBER_STATUS.invited, paused_at: null },
  disabled: { status: MEMBER_STATUS.disabled, paused_at: null },
};

test('every stored combination reads back as it was stored', async () => {
  const acme = await company(app);
  const { orgId } = acme;
  const { id: userId, email } = await acme.join('admin');
  const { id: sessionId } = await getRow(app, 'sessions', ['id'], { user_id: userId });
  const issuer = 'https://login.example';
  await insertRow(app, 'company_connections', {
    org_id: orgId,
    issuer,
    client_id: 'portico',
    created_at: from,
  });
  const { id: connection_id } = await getRow(app, 'company_connections', ['id'], { org_id: orgId });
  const domain = String(email.split('@')[1]);
  for (const provenAt of [undefined, null, from]) {
    await deleteRows(app, 'company_domains', { org_id: orgId });
    if (provenAt !== undefined)
      await insertRow(app, 'company_domains', {
        org_id: orgId,
        domain,
        token: 'token',
        proven_at: provenAt,
        created_at: from,
      });
    for (const isLinked of [false, true]) {
      await deleteRows(app, 'company_identities', { connection_id });
      const identity = { connection_id, issuer, subject: '1001', user_id: userId, created_at: from };
      if (isLinked) await insertRow(app, 'company_identities', identity);
      for (const companyRule of ['nobody', 'addresses', 'everybody'] satisfies CompanyRule[]) {
        const companyFrom = companyRule === 'nobody' ? null : from;
        await updateRows(
          app,
          'organizations',
          { id: orgId },
          { company_rule: companyRule, company_rule_from: companyFrom },
        );
        for (const [state, stored] of Object.entries(states)) {
          await updateRows(app, 'memberships', { org_id: orgId, user_id: userId }, stored);
          const { memberships } = await findFacts(app.deps.sql, sessionId);
          const isRuled = companyRule !== 'nobody';
          const one = {
            orgId,
            isActive: state === 'active',
            isPaused: state === 'paused',
            isSuperAdmin: false,
            stepRule: 'none',
            stepFrom: null,
            companyRule,
            companyFrom,
            isLinked: isRuled && isLinked,
            hasAddress: isRuled && provenAt === from,
          };
          expect({ provenAt, isLinked, state, memberships }).toMatchObject({
            memberships: state === 'disabled' ? [] : [one],
          });
          expect(await listMemberships(app.deps.sql, userId)).toEqual(memberships);
        }
      }
    }
  }
});

test('a Super Admin’s rules and a session’s proofs read back, and a session that has ended has no facts', async () => {
  const acme = await company(app);
  const { orgId } = acme;
  const { id: userId } = await acme.join('superAdmin');
  await updateRows(
    app,
    'organizations',
    { id: orgId },
    { second_step_rule: 'strong', second_step_from: from },
  );
  const stored = {
    second_step: 'app',
    proven: 'first',
    authenticated_at: from,
    entered: [orgId],
    entered_with_step: [orgId],
  } as const;
  await updateRows(
    app,
    'sessions',
    { user_id: userId },
    { ...stored, entered: [orgId], entered_with_step: [orgId] },
  );
  await updateRows(app, 'users', { id: userId }, { mfa_enabled: true });
  const { id: sessionId } = await getRow(app, 'sessions', ['id'], { user_id: userId });
  expect(await findFacts(app.deps.sql, sessionId)).toMatchObject({
    session: {
      secondStep: 'app',
      proven: 'first',
      authenticatedAt: from,
      entered: [orgId],
      enteredWithStep: [orgId],
    },
    isTwoStepOn: true,
    memberships: [{ isSuperAdmin: true, stepRule: 'strong', stepFrom: from }],
  });
  for (const ended of [null, 999_999 as SessionId])
    expect(await findFacts(app.deps.sql, ended)).toEqual({ session: null, memberships: [] });
});

test('the database counts as ready whom the function calls ready', async () => {
  for (const passkeys of [0, 1])
    for (const hasApp of [false, true])
      for (const isTwoStepOn of [false, true]) {
        const { id } = await somebody(app);
        await updateRows(app, 'users', { id }, { mfa_enabled: isTwoStepOn });
        const noted = { user_id: id, created_at: from };
        const key = {
          public_key: Buffer.of(1),
          sign_count: 0,
          aaguid: '00000000-0000-0000-0000-000000000000',
        };
        if (passkeys > 0)
          await insertRow(app, 'passkeys', {
            ...noted,
            ...key,
            credential_id: Buffer.from(String(id)),
            transports: [],
            is_synced: false,
          });
        if (hasApp)
          await insertRow(app, 'authenticator_apps', { ...noted, secret: Buffer.of(1), last_step: 0 });
        for (const rule of SECOND_STEP_RULES.filter((one) => one !== 'none')) {
          const { rows } = await sql<{ isReady: boolean }>`
            select ${isReadyFor(rule)} as "isReady" from users where id = ${id}`.execute(app.deps.sql);
          const steps = { passkeys, hasApp, isTwoStepOn };
          expect({ rule, steps, ...rows[0] }).toEqual({ rule, steps, isReady: isReady(rule, steps) });
        }
      }
});
