import {
  type ComponentType,
  type Ref,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
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

const signs = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin'];

/**
 * Preloads code at the first interaction with the page: before a press needs it, and after the first view has loaded.
 * A failure stays silent until the code is needed.
 */
export function useFirstInteraction(load: () => Promise<unknown>) {
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

/** A popup whose code loads when it is first needed. If loading fails, the page stays as it is. */
export function usePopup<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Popup, setPopup] = useState<ComponentType<Props>>();
  const [isOpen, setOpen] = useState(false);
  const show = async () => {
    const loaded = Popup ?? (await lateCode(load));
    if (!loaded) return false;
    setPopup(() => loaded);
    setOpen(true);
    return true;
  };
  return {
    Popup,
    isOpen,
    open: () => void show(),
    /** Opens the popup. Resolves to whether that worked. */
    show,
    close: () => setOpen(false),
    /** Only preloads. A failure shows when the popup should open. */
    fetch: () =>
      void load().then(
        (loaded) => setPopup(() => loaded),
        () => undefined,
      ),
  };
}

/**
 * A popup whose code loads when it renders, or earlier with `useReady` at the first interaction. If loading fails,
 * the popup closes and an alert shows.
 */
export function latePopup<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | undefined;
  const fetch = async () => (known = await load());

  function Popup(props: Props) {
    const [Loaded, setLoaded] = useState(() => known);
    const close = useEffectEvent(() => props.onClose());
    const isMissing = Loaded === undefined;
    useEffect(() => {
      if (!isMissing) return;
      void lateCode(fetch).then((loaded) => (loaded ? setLoaded(() => loaded) : close()));
    }, [isMissing]);
    return Loaded && <Loaded {...props} />;
  }
  return { Popup, useReady: () => useFirstInteraction(fetch) };
}

/**
 * A menu whose code loads when the pointer or the focus reaches its button, so that the first view need not
 * wait for it. Until then the button has the props `untilThen`.
 */
export function useLateMenu<Props>(load: () => Promise<ComponentType<Props>>) {
  const button = useRef<HTMLButtonElement>(null);
  const { Popup: Menu, isOpen: isAsked, fetch, open } = usePopup(load);
  const hadFocus = useRef(false);

  // The menu renders its own button, which takes over the focus and an early press.
  useLayoutEffect(() => {
    if (!Menu) return;
    if (hadFocus.current) button.current?.focus();
    if (isAsked) button.current?.click();
  }, [Menu, isAsked]);

  const untilThen = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': false,
    onPointerEnter: fetch,
    onFocus: () => {
      hadFocus.current = true;
      fetch();
    },
    onBlur: () => {
      hadFocus.current = false;
    },
    // On pointer down, because the menu's own button may replace this one before the press ends.
    onPointerDown: open,
    // Presses by keyboard or assistive technology.
    onClick: ({ detail }: { detail: number }) => {
      if (detail === 0) open();
    },
  };
  return { Menu, button: button as Ref<HTMLButtonElement>, untilThen };
}
