import { storedText, typedEmail } from '#web/lib/stored-text.ts';

const chosenLanguage = storedText(() => sessionStorage, 'chose-language');

/** Reloads the page in the language: its history entry keeps the digest of a mailed link, which has left the address. */
export function takeLanguages() {
  const row = document.querySelector('.languages form');
  if (chosenLanguage.read() !== null) row?.querySelector<HTMLElement>('[aria-current]')?.focus();
  chosenLanguage.forget();
  row?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value: language } = (event as SubmitEvent).submitter as HTMLButtonElement;
    typedEmail.keep(document.querySelector<HTMLInputElement>('#root [name="email"]')?.value);
    chosenLanguage.keep(language);
    const body = new URLSearchParams({ language });
    const reload = () => location.reload();
    fetch(location.pathname, { method: 'POST', body, redirect: 'manual' }).then(reload, reload);
  });
}
