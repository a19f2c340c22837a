import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { messageOf, proveByCode, proveByPasskey } from './calls.ts';
import styles from './desk.module.css';
import { words } from './words.ts';

type Props = { ways: readonly ('passkey' | 'app')[]; onProven: () => void };

/** The ways in which an operator proves who they are. */
export function Proof({ ways, onProven }: Props) {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const prove = async (by: () => Promise<unknown>) => {
    setBusy(true);
    setFailure('');
    try {
      await by();
      onProven();
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void prove(() => proveByCode(code.replace(/\D/g, '')));
  };
  return (
    <div className={styles.stack}>
      {failure !== '' && <Notice kind="danger">{failure}</Notice>}
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
