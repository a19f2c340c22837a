import { expect, test } from 'vitest';
import { ask, redeem, sendForm, setting, VERIFIER } from '#server/testing/applications.ts';
import { RACE_TIMEOUT, roundsOr, usePair } from '#server/testing/races.ts';
import { deleteRows } from '#server/testing/rows.ts';
import type { TestApp } from '#server/testing/start-app.ts';

// Both portals are one site: the second one answers under its own address, so only its token endpoint is asked.
const pair = usePair();
const [app, beside] = pair;

type Application = Awaited<ReturnType<typeof setting>>['application'];
const refreshAt = async (at: TestApp, application: Application, token: string) => {
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: application.clientId };
  return (await (await sendForm(at, '/oidc/token', form)).json()) as Record<string, string>;
};

test('of processes that redeem one code at once, at most one gives tokens (P3)', RACE_TIMEOUT, async () => {
  for (let round = 0; round < roundsOr(10); round += 1) {
    const at = await setting(app);
    const code = (await ask(at)).searchParams.get('code') ?? '';
    const answers = await Promise.all(
      [app, beside, app, beside].map((one) => redeem(one, at.application, code, VERIFIER)),
    );
    const refused = answers.filter(({ error }) => error === 'invalid_grant');
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(answers.filter((answer) => answer.access_token)).toHaveLength(4 - refused.length);
  }
});

test(
  'two processes that rotate one refresh token give siblings, and its late reuse ends both (P8)',
  RACE_TIMEOUT,
  async () => {
    for (let round = 0; round < roundsOr(5); round += 1) {
      const at = await setting(app, { kind: 'single-page' });
      const { id } = at.application;
      await deleteRows(app, 'application_secrets', { application_id: id });
      const code = (await ask(at)).searchParams.get('code') ?? '';
      const form = { code, client_id: at.application.clientId, code_verifier: VERIFIER };
      const exchange = { ...form, grant_type: 'authorization_code', redirect_uri: at.request.redirect_uri };
      const first = (await (await sendForm(app, '/oidc/token', exchange)).json()) as Record<string, string>;
      const token = first['refresh_token'] ?? '';
      const answers = await Promise.all([app, beside].map((one) => refreshAt(one, at.application, token)));
      const successors = answers.map((answer) => answer['refresh_token'] ?? '');
      expect(new Set([token, ...successors, '']).size).toBe(4);
      app.clock.forward(10_000);
      expect((await refreshAt(beside, at.application, token))['error']).toBe('invalid_grant');
      for (const successor of successors)
        expect((await refreshAt(app, at.application, successor))['error']).toBe('invalid_grant');
    }
  },
);
