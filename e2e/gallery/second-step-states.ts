import type { Page } from '@playwright/test';
import { renderSVG } from 'uqr';
import { expect } from '../fixtures.ts';
import { answer, atAs, hold, lose, press, type Reach, see } from './steps.ts';

const profile = atAs('otto', '/okafor-freight/myprofile');

const passkey = (id: string, more: object) => ({
  id,
  name: null,
  provider: null,
  kind: 'synced',
  created_time: '2026-03-02T09:00:00.000Z',
  last_used_time: '2026-11-23T08:14:00.000Z',
  ...more,
});
const passkeys = [
  passkey('AQ', { name: 'iCloud Keychain', provider: 'iCloud Keychain' }),
  passkey('Ag', {
    name: 'The laptop in the workshop of Harbour Logistics',
    provider: 'Windows Hello',
    kind: 'device',
  }),
  passkey('Aw', { provider: 'YubiKey 5 NFC', name: 'Blue key', kind: 'security-key', last_used_time: null }),
];
const free = { passkey: null, app: null, two_step: null };
const app = { created_time: '2026-03-02T09:00:00.000Z', last_used_time: '2026-11-22T08:14:00.000Z' };
const codes = (left: number) => ({ left, created_time: '2026-03-02T09:00:00.000Z' });

type Own = { passkeys?: object[]; locks?: object; app?: object | null; codes?: object | null };
/** The page of a person with these passkeys and second steps. */
const withSteps =
  (own: Own): Reach =>
  async (stage) => {
    await answer(stage.page, '/api/passkeys', own.passkeys ?? []);
    await answer(stage.page, '/api/passkeys/locks', own.locks ?? free);
    await answer(stage.page, '/api/authenticator', own.app ?? (null as never));
    await answer(stage.page, '/api/recoverycodes', own.codes ?? (null as never));
    await profile(stage);
  };
const full = { passkeys, app, codes: codes(10) };
const opened = async (page: Page, name: string) => expect(page.getByRole('dialog', { name })).toBeVisible();

const qrCode = renderSVG(
  'otpauth://totp/Portico:otto%40northwind.example?issuer=Portico&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  { border: 2 },
);
const setup = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', qr_code: qrCode, setup: 'sealed' };
const settingUp =
  (own: Own, button: string): Reach =>
  async (stage) => {
    await withSteps(own)(stage);
    await answer(stage.page, '/api/authenticator/setup', setup);
    await press(stage.page, button);
    await opened(stage.page, 'Set up an authenticator app');
  };
const newCodes = Array.from({ length: 10 }, (_, at) => `4F7K${at}-2QX9A`);
const madeCodes: Reach = async (stage) => {
  await withSteps({})(stage);
  // The card may still be reading from this path.
  await stage.page.route('**/api/recoverycodes', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { success: true, response: { codes: newCodes } } })
      : route.fallback(),
  );
  await press(stage.page, 'Make recovery codes');
  await opened(stage.page, 'Your recovery codes');
};

/** Every state of passkeys, the authenticator app and recovery codes on My Profile. */
export const secondStepStates: Record<string, Reach> = {
  'second-steps--none': withSteps({}),
  'second-steps--all': withSteps(full),
  'second-steps--locked': withSteps({
    ...full,
    passkeys: passkeys.slice(0, 1),
    locks: { passkey: 'last_way_in', app: 'second_step_needed', two_step: 'second_step_needed' },
  }),
  'second-steps--most': withSteps({
    passkeys: Array.from({ length: 20 }, (_, at) => passkey(`A${at}`, { name: `Key ${at + 1}` })),
    codes: codes(2),
  }),
  'second-steps--codes-gone': withSteps({ ...full, codes: codes(0) }),
  'second-steps--loading': async (stage) => {
    for (const path of ['passkeys', 'passkeys/locks', 'authenticator', 'recoverycodes'])
      await hold(stage.page, `/api/${path}`);
    await profile(stage);
  },
  'second-steps--failed': async (stage) => {
    for (const path of ['passkeys', 'authenticator', 'recoverycodes']) await lose(stage.page, `/api/${path}`);
    await profile(stage);
    await see(stage.page, 'This could not be loaded');
  },
  'passkey--not-made': async (stage) => {
    await withSteps({})(stage);
    await answer(stage.page, '/api/passkeys/options', { options: {} });
    await stage.page.evaluate(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    await press(stage.page, 'Add a passkey');
    await see(stage.page, 'cannot use passkeys');
  },
  'passkey--rename': async (stage) => {
    await withSteps(full)(stage);
    await press(stage.page, 'Rename Blue key');
    await opened(stage.page, 'Rename this passkey');
  },
  'passkey--remove': async (stage) => {
    await withSteps(full)(stage);
    await press(stage.page, 'Remove Blue key');
    await see(stage.page, 'Remove Blue key?');
  },
  'app--set-up': settingUp({}, 'Set up an app'),
  'app--replace': settingUp(full, 'Replace your authenticator app'),
  'app--remove': async (stage) => {
    await withSteps(full)(stage);
    await press(stage.page, 'Remove your authenticator app');
    await see(stage.page, 'Remove your authenticator app?');
  },
  'recovery-codes--shown': madeCodes,
  'recovery-codes--closing': async (stage) => {
    await madeCodes(stage);
    await stage.page.keyboard.press('Escape');
    await see(stage.page, 'Have you saved the codes?');
  },
  'recovery-codes--renew': async (stage) => {
    await withSteps(full)(stage);
    await press(stage.page, 'Make new codes');
    await see(stage.page, 'Make new recovery codes?');
  },
};
