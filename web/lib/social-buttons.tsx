import { useRef, useState } from 'react';
import type { ProviderName } from '#contract/social.ts';
import { socialButtonsText as text } from '#contract/text/social-buttons.ts';
import { uiText } from '#contract/text/ui.ts';
import { typedEmail } from '#web/lib/kept.ts';
import { LastUsed } from '#web/lib/last-used.tsx';
import { openPopup } from '#web/lib/popup.ts';
import { site } from '#web/lib/site.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './social-buttons.module.css';

const providers: ProviderName[] = site.googleLogin ? ['facebook', 'google'] : ['facebook'];

/** Signing in with an account elsewhere. `typed` is the address so far: the page loads itself again and finds it kept. */
export function SocialButtons({ typed }: { typed: string }) {
  const popup = useRef<Window>(null);
  const [asking, setAsking] = useState<ProviderName>();

  const press = async (provider: ProviderName, button: Element) => {
    if (popup.current?.closed === false) return popup.current.focus();
    if (asking) return;
    typedEmail.keep(typed.trim());
    // In the press itself, or the browser blocks it; what it is for comes after.
    const opened = (popup.current = openPopup());
    setAsking(provider);
    try {
      const { signInWith } = await import('#web/lib/social-popup.ts');
      await signInWith(provider, opened, button);
    } catch {
      opened?.close();
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
