import { sessions } from '#contract/sessions/calls.ts';
import { BEACON_THROTTLE_SECONDS } from '#contract/limits.ts';
import { callHeaders } from '#web/lib/call.ts';

/** Runs a call at once, then at most once per `seconds`. Calls in between are dropped, not queued. */
export function atMostEvery(seconds: number, act: () => void, nowMs: () => number) {
  let nextMs = -Infinity;
  return () => {
    if (nowMs() < nextMs) return;
    nextMs = nowMs() + seconds * 1000;
    act();
  };
}

export function startBeacon(onOtherPerson: () => void) {
  // `sendBeacon` cannot send the person header. A `keepalive` fetch also survives leaving the page.
  const { method, path } = sessions.beacon;
  const ping = async () => {
    const answer = await fetch(path, { method, headers: callHeaders, keepalive: true });
    if (answer.status !== 401) return;
    const { error } = (await answer.json()) as { error: { code: string } };
    // Do not react to an ended session here: the person may still read or copy something. The next call tells them.
    if (error.code === 'signed_in_as_another') onOtherPerson();
  };
  // No retry: the next activity sends another one.
  const send = () => void ping().catch(() => {});
  const onActivity = atMostEvery(BEACON_THROTTLE_SECONDS, send, () => performance.now());
  const onVisible = () => document.visibilityState === 'visible' && onActivity();
  const stop = new AbortController();
  const options = { passive: true, capture: true, signal: stop.signal };
  for (const kind of ['pointerdown', 'keydown', 'scroll']) addEventListener(kind, onActivity, options);
  document.addEventListener('visibilitychange', onVisible, options);
  return () => stop.abort();
}
