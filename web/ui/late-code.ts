import { useEffect } from 'react';
import { showAlert } from './alert-store.ts';
import { whyNoAnswer } from './cause.ts';

const failedBefore = new Set<unknown>();

type Options = {
  /** What is fetched, where `load` is not the same function each time. */
  name?: string;
  /** Where a full load leads. */
  loadAnew?: () => void;
};

/**
 * Code that comes when somebody asks for it; undefined, with an alert, when it does not. Asked for once more it is
 * fetched once more. Where that fails although the server answers, the page is loaded anew: browsers of a while ago
 * hold on to a failed import, and after an update the file is gone.
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

/** Whether a full load would lead to a page, and not to the browser's own words; proxies keep what is asked for health to themselves. */
const serverAnswers = () =>
  fetch('/robots.txt', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'];

/**
 * Gets code ready with the first sign of somebody on the page: before a press that needs it, and after all that the
 * first view needs. A failure shows when it is needed.
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
