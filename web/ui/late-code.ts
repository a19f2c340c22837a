import { useEffect } from 'react';
import { showAlert } from '../lib/alert-store.ts';
import { whyNoAnswer } from './cause.ts';

const failedBefore = new Set<unknown>();

type Options = {
  /** Identifies the code if `load` is a new function each time. */
  name?: string;
  /** Replaces the plain reload, for example to go on to another page. */
  loadAnew?: () => void;
};

/**
 * Loads code on demand. On failure it shows an alert and returns undefined. Each call tries again. If a retry
 * fails although the server answers, the page reloads: older browsers keep a failed import, and after an
 * update the file is gone.
 */
export async function lateCode<T>(load: () => Promise<T>, options: Options = {}): Promise<T | undefined> {
  const { name = load, loadAnew = () => location.reload() } = options;
  try {
    return await load();
  } catch {
    if (failedBefore.has(name) && (await serverAnswers())) loadAnew();
    failedBefore.add(name);
    showAlert({ kind: 'danger', text: whyNoAnswer() });
    return undefined;
  }
}

/**
 * Whether a reload would get a page instead of a browser error. Not /healthz, because proxies may answer that
 * themselves.
 */
const serverAnswers = () =>
  fetch('/robots.txt', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'];

/**
 * Preloads code at the first sign of a person: before a press needs it, and after the first view has loaded.
 * A failure stays silent until the code is needed.
 */
export function useFirstSign(load: () => Promise<unknown>) {
  useEffect(() => {
    const stop = new AbortController();
    const get = () => {
      stop.abort();
      load().catch(() => undefined);
    };
    for (const sign of signs) document.addEventListener(sign, get, { signal: stop.signal });
    return () => stop.abort();
  }, [load]);
}
