import { type ReactNode, useRef } from 'react';
import { authorizeText as text } from '#words/authorize.ts';
import { secondStepText } from '#words/second-step.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { Proof, type Way } from '#web/public-pages/proof.tsx';

const leads: Partial<Record<string, ReactNode>> = {
  unsent: <p>{text.confirmByCode}</p>,
  app: <p>{secondStepText.app.lead}</p>,
};
const acts: Partial<Record<string, string>> = { unsent: text.mailCode, passkey: secondStepText.passkey.use };

type Props = { first: Way; isSecondStep: boolean; onProven: () => void };

/** The proof as a part of a page. It mails a code only after a press, because any site can lead a person to this page. */
export function ConfirmForm({ first, isSecondStep, onProven }: Props) {
  const shown = useRef<string>(undefined);
  // The link that chose another way is gone, so its form takes the focus.
  const focusOther = (way: string) => (form: HTMLFormElement | null) => {
    if (!form) return;
    if (shown.current && shown.current !== way) form.querySelector<HTMLElement>('input, button')?.focus();
    shown.current = way;
  };
  return (
    <Proof
      first={first}
      step={isSecondStep ? 'any' : undefined}
      onProven={onProven}
      render={({ way, form, above, children, below }) => (
        <>
          {leads[way]}
          {above}
          <PageForm
            form={{ ...form, props: { ...form.props, ref: focusOther(way) } }}
            act={acts[way] ?? text.goOn}
          >
            {children}
          </PageForm>
          {below}
        </>
      )}
    />
  );
}
