import { AuthenticatorCard } from './authenticator-card.tsx';
import { LinkedSignIns } from './linked-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';
import { WaysInFrame, type WaysInProps } from './ways-in-sections.tsx';

export const WaysInCards = ({ user, onUserChanged }: WaysInProps) => (
  <>
    <WaysInFrame
      passkeys={<PasskeysCard zone={user.timeZone} />}
      twoStep={<TwoStepCard user={user} onSaved={onUserChanged} />}
      app={<AuthenticatorCard user={user} />}
      recoveryCodes={<RecoveryCodesCard user={user} />}
    />
    <LinkedSignIns hasPassword={user.hasPassword && user.email !== null} />
  </>
);
