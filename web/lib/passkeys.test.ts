import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { passkeyFailureText as text } from '#words/passkey-failure.ts';

const failure = vi.hoisted(() => ({ name: '' }));
vi.mock('@simplewebauthn/browser', () => {
  const fail = () => Promise.reject(Object.assign(new Error('refused'), { name: failure.name }));
  return { startAuthentication: fail, startRegistration: fail };
});
// Test files share one load of each module. This file needs its own, which nobody else may get.
vi.resetModules();
const { askForPasskey, makePasskey } = await import('./passkeys.ts');
afterAll(() => void vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['NotAllowedError', text.notAllowed, text.notMade],
  ['InvalidStateError', text.alreadyThere, text.alreadyThere],
  ['NotSupportedError', text.notSupported, text.notSupported],
  ['ConstraintError', text.noVerification, text.noVerification],
  ['SecurityError', text.wrongAddress, text.wrongAddress],
  ['AbortError', '', ''],
  ['UnknownError', text.failed, text.failed],
])('a browser that answers %s is explained', async (name, asked, made) => {
  vi.stubGlobal('window', { PublicKeyCredential: {} });
  failure.name = name;
  await expect(askForPasskey({})).rejects.toThrow(expect.objectContaining({ message: asked }));
  await expect(makePasskey({})).rejects.toThrow(expect.objectContaining({ message: made }));
});

test('a browser without passkeys is explained', async () => {
  vi.stubGlobal('window', {});
  await expect(askForPasskey({})).rejects.toThrow(text.notSupported);
});
