import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { PASSKEY_MINUTES } from '#contract/limits.ts';

const server = vi.hoisted(() => ({ begin: vi.fn<() => Promise<{ options: object }>>() }));
const device = vi.hoisted(() => ({ ask: vi.fn<() => Promise<never>>(), end: () => {} }));
vi.mock('#web/lib/call.ts', () => ({ call: server.begin, CallError: Error }));
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: device.ask,
  WebAuthnAbortService: { cancelCeremony: () => device.end() },
}));
// Test files share one load of each module. This file needs its own, which nobody else may get.
vi.resetModules();
const { offerPasskeys } = await import('./passkey-sign-in.ts');
afterAll(() => void vi.resetModules());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the offer in the autofill renews its challenge in time, and retries one that it did not get', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('window', { PublicKeyCredential: { isConditionalMediationAvailable: async () => true } });
  device.ask.mockImplementation(
    () =>
      new Promise((_resolve, reject) => {
        device.end = () => reject(Object.assign(new Error('ended'), { name: 'AbortError' }));
      }),
  );
  server.begin.mockResolvedValue({ options: {} });
  void offerPasskeys();
  const counts = async (minutes: number) => {
    await vi.advanceTimersByTimeAsync(minutes * 60_000);
    return [server.begin.mock.calls.length, device.ask.mock.calls.length];
  };
  expect(await counts(PASSKEY_MINUTES - 2)).toEqual([1, 1]);
  server.begin.mockRejectedValueOnce(new Error('no network'));
  expect(await counts(1)).toEqual([2, 1]);
  expect(await counts(1)).toEqual([3, 2]);
  expect(await counts(PASSKEY_MINUTES - 1)).toEqual([4, 3]);
});
