import { useRef, useState } from 'react';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import type { ProviderName } from '#contract/social/calls.ts';
import { socialButtonsText as text } from '#words/social-buttons.ts';
import { uiText } from '#words/ui.ts';
import { typedEmail } from '#web/lib/stored-text.ts';
import { LastUsed } from './last-used.tsx';
import { openPopup } from './popup.ts';
import { site } from '#web/lib/site.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './social-buttons.module.css';

const isOffered: Record<ProviderName, boolean> = { facebook: true, google: site.googleLogin };
const providers = (Object.keys(isOffered) as ProviderName[]).filter((name) => isOffered[name]);

/** Buttons of social sign-in. They keep `typed`, the address so far, because the page reloads afterwards. */
export function SocialButtons({ typed }: { typed: string }) {
  const popup = useRef<Window>(null);
  const [asking, setAsking] = useState<ProviderName>();

  const press = async (provider: ProviderName, button: Element) => {
    if (popup.current?.closed === false) return popup.current.focus();
    if (asking) return;
    typedEmail.keep(plainAddress(typed));
    // Open the window during the press, or the browser blocks it. Its address follows later.
    const popupWindow = (popup.current = openPopup());
    setAsking(provider);
    try {
      const { signInWith } = await import('./social-popup.ts');
      await signInWith(provider, popupWindow, button);
    } catch {
      popupWindow?.close();
      showAlert({ kind: 'danger', text: uiText.wentWrong });
    }
    setAsking(undefined);
  };

  return (
    <fieldset className={styles.ways}>
      <legend>{text.or}</legend>
      {providers.map((provider) => (
        <Button
          key={provider}
          icon={<span className={styles[provider]} />}
          badge={<LastUsed method={provider} />}
          busy={asking === provider}
          onClick={(event) => void press(provider, event.currentTarget)}
        >
          {text.providers[provider]}
        </Button>
      ))}
    </fieldset>
  );
}
