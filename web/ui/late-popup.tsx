import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { lateCode, useFirstSign } from './late-code.ts';

/**
 * A popup whose code loads when it renders, or earlier with `useReady` at the first sign of a person. If
 * loading fails, the popup closes and an alert shows.
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
  return { Popup, useReady: () => useFirstSign(fetch) };
}
