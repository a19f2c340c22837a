import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { messageOf, needsProof, proveByCode, proveByPasskey } from './calls.ts';
import styles from './desk.module.css';
import { words } from './words.ts';

type Props = { ways: readonly ('passkey' | 'app')[]; onProven: () => void };

type Attempt = { isBusy?: boolean; failure?: string; isToProve?: boolean };

/** Runs an act of the desk. If it fails, says why, and whether a proof helps. */
export function useAttempt() {
  const [state, setState] = useState<Attempt>({});
  const attempt = async (act: () => Promise<void>) => {
    setState({ isBusy: true });
    try {
      await act();
      setState({});
    } catch (error) {
      setState(needsProof(error) ? { isToProve: true } : { failure: messageOf(error) });
    }
  };
  return { ...state, attempt, giveUp: () => setState({}) };
}

export const ProofDialog = ({ onClose, ...proof }: Props & { onClose: () => void }) => (
  <Dialog title={words.enterTitle} description={words.proveLead} onClose={onClose}>
    <Proof {...proof} />
  </Dialog>
);

export function Proof({ ways, onProven }: Props) {
  const [code, setCode] = useState('');
  const { isBusy, failure, attempt } = useAttempt();
  const prove = (by: () => Promise<unknown>) =>
    attempt(async () => {
      await by();
      onProven();
    });
  const send = (event: FormEvent) => {
    event.preventDefault();
    void prove(() => proveByCode(code.replace(/\D/g, '')));
  };
  return (
    <div className={styles.stack}>
      {failure && <Notice kind="danger">{failure}</Notice>}
      {ways.length === 0 && <p>{words.noWay}</p>}
      {ways.includes('passkey') && (
        <Button kind="primary" busy={isBusy} onClick={() => void prove(proveByPasskey)}>
          {words.passkey}
        </Button>
      )}
      {ways.includes('app') && (
        <form className={styles.stack} onSubmit={send}>
          <TextField
            label={words.code}
            name="otp"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          <Button kind={ways.includes('passkey') ? 'plain' : 'primary'} type="submit" busy={isBusy}>
            {words.enter}
          </Button>
        </form>
      )}
    </div>
  );
}
