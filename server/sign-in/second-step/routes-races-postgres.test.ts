import { expect, test } from 'vitest';
import { addPasskey, askForPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { confirmed } from '#server/testing/people.ts';
import { browserAt, RACE_TIMEOUT, roundsOr, together, usePair } from '#server/testing/races.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { appCode, firstStep, setUpApp } from '#server/testing/second-steps.ts';
import { responseOf } from '#server/testing/visitor.ts';

const pair = usePair({ RATE_LIMIT_FACTOR: '1000' });
const few = roundsOr(5);
const place = { timezone: '' };

/** A person with an app, and two browsers at two portals that wait for the second step. */
async function waiting() {
  const [first, second] = pair;
  const person = await confirmed(first);
  const { secret, codes } = await setUpApp(first, person.visitor);
  const browsers = [first.visitor(), second.visitor()] as const;
  for (const browser of browsers) await firstStep(browser, person.email);
  return { ...person, secret, codes, browsers };
}
const wins = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

test('one code of an app lets in one of two browsers at two processes', RACE_TIMEOUT, async () => {
  for (let round = 0; round < few; round += 1) {
    const { browsers, secret } = await waiting();
    const code = appCode(pair[0], secret);
    const answers = await together(pair, 2, (_, at) =>
      (browsers[at] ?? browsers[0]).post('/api/signin/app', { code, ...place }),
    );
    expect(wins(answers)).toBe(1);
  }
});

test('one recovery code lets in one of two browsers at two processes', RACE_TIMEOUT, async () => {
  for (let round = 0; round < few; round += 1) {
    const { browsers, codes } = await waiting();
    const answers = await together(pair, 2, (_, at) =>
      (browsers[at] ?? browsers[0]).post('/api/signin/recovery', { code: codes[0], ...place }),
    );
    expect(wins(answers)).toBe(1);
  }
});

test('one signature of a passkey signs in once at two processes', RACE_TIMEOUT, async () => {
  const { visitor } = await confirmed(pair[0]);
  const authenticator = await addPasskey(visitor, pair[0].deps.config.publicUrl.origin);
  for (let round = 0; round < few; round += 1) {
    const browser = pair[0].visitor();
    const credential = authenticator.get(await askForPasskey(browser));
    const answers = await together(pair, 2, (app) =>
      browserAt(app, browser).post('/api/signin/passkey', { credential, ...place }),
    );
    expect(wins(answers)).toBe(1);
  }
});

test(
  'two removals at two processes leave the last passkey of a person without a password',
  RACE_TIMEOUT,
  async () => {
    for (let round = 0; round < few; round += 1) {
      const { visitor, id } = await confirmed(pair[0]);
      const origin = pair[0].deps.config.publicUrl.origin;
      const passkeys = [await addPasskey(visitor, origin), await addPasskey(visitor, origin)];
      await deleteRows(pair[0], 'passwords', { user_id: id });
      const answers = await together(pair, 2, (app, at) =>
        browserAt(app, visitor).send('DELETE', '/api/passkeys', {
          body: { id: passkeys[at]?.id.toString('base64url') },
        }),
      );
      expect(wins(answers)).toBe(1);
      responseOf(
        await signInByPasskey(
          pair[0].visitor(),
          passkeys[answers[0]?.status === 200 ? 1 : 0] ?? passkeys[0]!,
        ),
      );
    }
  },
);
