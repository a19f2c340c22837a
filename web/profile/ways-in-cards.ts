export { AuthenticatorCard } from './authenticator-card.tsx';
export { LinkedSignIns } from './linked-card.tsx';
export { PasskeysCard } from './passkeys-card.tsx';
export { RecoveryCodesCard } from './recovery-codes-card.tsx';
export { TwoStepCard } from './two-step-card.tsx';
