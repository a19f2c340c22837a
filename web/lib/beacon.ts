import { sessions } from '#contract/sessions.ts';
import { BEACON_THROTTLE_SECONDS } from '#contract/limits.ts';

/** Lets a call through at once and then at most one in `seconds`; what comes in between is dropped, not kept. */
export function atMostEvery(seconds: number, act: () => void, nowMs: () => number) {
  let nextMs = -Infinity;
  return () => {
    if (nowMs() < nextMs) return;
    nextMs = nowMs() + seconds * 1000;
    act();
  };
}

/** Tells the server while the person is at work here; returns how to stop. */
export function startBeacon() {
  // A string goes out as text/plain, which a beacon may send without asking first.
  const send = () => navigator.sendBeacon(sessions.beacon.path, '');
  const active = atMostEvery(BEACON_THROTTLE_SECONDS, send, () => performance.now());
  const visible = () => document.visibilityState === 'visible' && active();
  const stop = new AbortController();
  const options = { passive: true, capture: true, signal: stop.signal };
  for (const kind of ['pointerdown', 'keydown', 'scroll']) addEventListener(kind, active, options);
  document.addEventListener('visibilitychange', visible, options);
  return () => stop.abort();
}
