import {
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { showAlert } from '../lib/alert-store.ts';
import { whyNoAnswer } from '#web/lib/cause.ts';

const lostStyles = new Set<HTMLLinkElement>();
export const watchForLostStyles = () =>
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target);
    },
    true,
  );

async function askForLostStyles() {
  const asked = [...lostStyles].map((lost) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const link = Object.assign(lost.cloneNode() as HTMLLinkElement, { onload: resolve, onerror: reject });
    lost.replaceWith(link);
    return promise;
  });
  lostStyles.clear();
  return (await Promise.allSettled(asked)).every(({ status }) => status === 'fulfilled');
}
let asking: Promise<boolean> | undefined;
const lacksStyle = new Set<unknown>();

/** Loads code. First asks again for lost style sheets, because Vite asks for each only once. */
async function get<T>(load: () => Promise<T>): Promise<T> {
  asking ??= askForLostStyles();
  const isComplete = await asking;
  asking = undefined;
  if (!isComplete && lacksStyle.has(load)) throw new Error('A style sheet is lost.');
  try {
    return await load();
  } catch (failure) {
    if (lostStyles.size > 0) lacksStyle.add(load);
    throw failure;
  }
}

const failedBefore = new Set<unknown>();

/** On failure alerts and returns undefined; each call tries again. A failed retry reloads: older browsers keep the failure. */
export async function lateCode<T>(load: () => Promise<T>, loadAnew = () => location.reload()) {
  try {
    return await get(load);
  } catch {
    if (failedBefore.has(load) && (await serverAnswers())) loadAnew();
    failedBefore.add(load);
    showAlert({ kind: 'danger', text: whyNoAnswer() });
    return undefined;
  }
}

/** Not /healthz, because proxies may answer that themselves. */
const serverAnswers = () =>
  fetch('/robots.txt', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

const awaitedLoads = new Set<() => Promise<unknown>>();
function loadAwaited(event: Event) {
  // A page that moves under a resting pointer gets events, too.
  if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY)
    return;
  for (const load of awaitedLoads) load().catch(() => undefined);
  awaitedLoads.clear();
}

/** Loads popups when a person begins to use the page. */
export function watchForInteraction() {
  // Not the focus, which scripts move, too.
  for (const sign of ['pointermove', 'pointerdown', 'wheel', 'keydown'])
    document.addEventListener(sign, loadAwaited);
}

/** Before a press needs the code. A failure stays silent until then. */
export const loadAtInteraction = (load: () => Promise<unknown>) => awaitedLoads.add(load);

type Load<Props> = () => Promise<ComponentType<Props>>;
const Nothing = () => null;

/** A component whose code loads when it renders, or earlier with `preload`. */
export function late<Props extends object>(load: Load<Props>, onFailed?: (props: Props) => void) {
  let Loaded: ComponentType<Props> | undefined;
  const preload = async () => (Loaded ??= await get(load));

  function Late(props: Props) {
    const [isFailed, setFailed] = useState(false);
    const fail = useEffectEvent(() => onFailed?.(props));
    useEffect(() => {
      if (isFailed) fail();
    }, [isFailed]);
    const loadLate = async () => {
      const loaded = await lateCode(preload);
      if (!loaded) setFailed(true);
      return { default: loaded ?? Nothing };
    };
    const [Code] = useState(() => Loaded ?? (lazy(loadLate) as ComponentType<Props>));
    return (
      <Suspense>
        <Code {...props} />
      </Suspense>
    );
  }
  return Object.assign(Late, { preload });
}

/** A popup, preloaded at the first interaction. If its code does not load, it closes and an alert shows. */
export function latePopup<Props extends { onClose: () => void }>(load: Load<Props>) {
  const Popup = late(load, ({ onClose }) => onClose());
  loadAtInteraction(Popup.preload);
  return Popup;
}

/** A menu whose code loads when its button is reached. Until then the button has the props `untilThen`. */
export function useLateMenu<Props>(load: Load<Props>) {
  const [Menu, setMenu] = useState<ComponentType<Props>>();
  const button = useRef<HTMLButtonElement>(null);
  const state = useRef({ hasFocus: false, isAsked: false });

  // The menu renders its own button, which takes over the focus and an early press.
  useLayoutEffect(() => {
    if (!Menu) return;
    if (state.current.hasFocus) button.current?.focus();
    if (state.current.isAsked) button.current?.click();
  }, [Menu]);

  const show = (loaded: ComponentType<Props> | undefined) => setMenu(() => loaded);
  const fetch = () => void get(load).then(show, () => undefined);
  const open = async () => {
    // At once, because a fetch that began earlier may show the menu first.
    state.current.isAsked = true;
    const loaded = await lateCode(load);
    state.current.isAsked = loaded !== undefined;
    show(loaded);
  };
  const untilThen = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': false,
    onPointerEnter: fetch,
    onFocus: () => {
      state.current.hasFocus = true;
      fetch();
    },
    onBlur: () => {
      state.current.hasFocus = false;
    },
    // On pointer down, because the menu's own button may replace this one before the press ends.
    onPointerDown: () => void open(),
    // Presses by keyboard or assistive technology.
    onClick: ({ detail }: { detail: number }) => {
      if (detail === 0) void open();
    },
  };
  return { Menu, button, untilThen };
}
