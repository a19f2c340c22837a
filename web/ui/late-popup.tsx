import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { lateCode, useFirstSign } from './late-code.ts';

/**
 * A popup whose code comes late: fetched when it is drawn, and with `useReady` on the page that draws it as soon as
 * somebody is there. Where it does not come, the popup closes, with an alert.
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
