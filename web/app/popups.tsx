import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { areaText } from '#words/area.ts';
import { presentWith } from '#web/lib/failures.ts';
import { site } from '#web/lib/site.ts';
import { passwordSignIn } from '#web/lib/stored-text.ts';
import { forgetUnsaved, hasUnsaved } from '#web/lib/unsaved.ts';
import { proveWith } from '#web/lib/use-call.ts';
import { latePopup } from '#web/ui/late.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { useSession } from './session-context.ts';

const UpgradeDialog = latePopup(async () => (await import('./upgrade-dialog.tsx')).UpgradeDialog);
const ProofDialog = latePopup(async () => (await import('./proof-dialog.tsx')).ProofDialog);
const PasskeyOffer = latePopup(async () => (await import('#web/sign-in/passkey-offer.tsx')).PasskeyOffer);
const CodesDialog = latePopup(
  async () => (await import('#web/profile/recovery-codes-dialog.tsx')).RecoveryCodesDialog,
);

/** The popups that no page opens. */
export const Popups = ({ offersPasskey }: { offersPasskey: boolean }) => (
  <>
    <Upgrade />
    <Proof />
    <Discard />
    {offersPasskey && <Offer />}
  </>
);

function Upgrade() {
  const [text, setText] = useState<string>();
  useEffect(() => {
    presentWith('upgrade', ({ message }) => setText(message));
  }, []);
  return (
    text !== undefined && (
      <UpgradeDialog onClose={() => setText(undefined)} text={text} pricingUrl={site.pricingUrl} />
    )
  );
}

type Ask<Question> = (question: Question) => Promise<boolean>;

/** A question that code outside of the page asks. Another one meanwhile shares its answer, or else cancels it. */
function useQuestion<Question>(askWith: (ask: Ask<Question>) => void, { isShared }: { isShared: boolean }) {
  const [question, setQuestion] = useState<Question>();
  const pending = useRef<PromiseWithResolvers<boolean>>(undefined);
  const answer = (isYes: boolean) => {
    pending.current?.resolve(isYes);
    pending.current = undefined;
    setQuestion(undefined);
  };
  const ask = useEffectEvent((asked: Question) => {
    if (!isShared) answer(false);
    if (!pending.current) setQuestion(asked);
    pending.current ??= Promise.withResolvers();
    return pending.current.promise;
  });
  useEffect(() => askWith((asked) => ask(asked)), [askWith]);
  return { question, answer };
}

function Proof() {
  const { isReduced } = useSession().user;
  const client = useQueryClient();
  const { question, answer } = useQuestion(proveWith, { isShared: true });
  return (
    question && (
      <ProofDialog
        {...(question !== 'proof' && { step: question })}
        onClose={() => answer(false)}
        onProven={() => {
          answer(true);
          // The pages of the account open now.
          if (isReduced) void client.invalidateQueries();
        }}
      />
    )
  );
}

let askToDiscard: Ask<'discard'> | undefined;
const discardWith = (ask: Ask<'discard'>) => {
  askToDiscard = ask;
};
export const mayLeave = async () => !hasUnsaved() || !askToDiscard || askToDiscard('discard');

function Discard() {
  const { question, answer } = useQuestion(discardWith, { isShared: false });
  return (
    question && (
      <LateConfirm
        onClose={() => answer(false)}
        onConfirm={() => {
          forgetUnsaved();
          answer(true);
        }}
        title={areaText.discardTitle}
        act={areaText.discard}
        cancel={areaText.keepEditing}
        destructive
      >
        {areaText.discardEffect}
      </LateConfirm>
    )
  );
}

function Offer() {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  useEffect(() => {
    if (passwordSignIn.read() === null) return;
    passwordSignIn.forget();
    void canKeepPasskeys().then(setOpen);
  }, []);
  if (codes) return <CodesDialog codes={codes} user={user} onClose={() => setCodes(undefined)} />;
  return isOpen && <PasskeyOffer onClose={() => setOpen(false)} onCodes={setCodes} />;
}

/** Browsers without passkeys lack the class, and older ones the question. */
const canKeepPasskeys = async (): Promise<boolean> =>
  (await window.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable?.()) ?? false;
