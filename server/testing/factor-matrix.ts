import { all, nobody, reading, row, signedOut } from './matrix-world.ts';
import { TYPED_CODE } from './people.ts';

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const registration = { ...credential, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
const assertion = {
  ...credential,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

export const factorMatrix = {
  waysIn: { read: row(signedOut) },
  passkeys: {
    begin: row(signedOut),
    add: row({ ...all('passkey_invalid'), ...signedOut }, () => ({ credential: registration })),
    rename: row({ ...all('passkey_not_found'), ...signedOut }, () => ({ id: 'AAAA', name: 'Laptop' })),
    remove: row({ ...all('passkey_not_found'), ...signedOut }, () => ({ id: 'AAAA' })),
    offer: row(signedOut),
    declineOffer: row(signedOut),
    beginPasskey: reading(nobody, () => ({ second_step: 0 })),
    signInWithPasskey: row(all('passkey_unknown'), () => ({ credential: assertion, timezone: '' })),
  },
  authenticator: {
    beginSetup: reading(signedOut),
    finishSetup: row({ ...all('otp_expired'), ...signedOut }, () => ({ setup: 'AAAA', code: TYPED_CODE })),
    removeApp: row({ ...all('not_found'), ...signedOut }),
  },
  recoveryCodes: {
    renew: row({ ...all('not_allowed'), ...signedOut }),
  },
  rememberedBrowsers: {
    forget: reading(signedOut),
  },
};
