import { all, nobody, reading, row, signedOut } from '#server/testing/matrix-world.ts';
import { TYPED_CODE } from '#server/testing/people.ts';

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const registration = { ...credential, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
const assertion = {
  ...credential,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

export const factorMatrix = {
  passkeys: {
    list: row(signedOut),
    begin: row(signedOut),
    add: row({ ...all('passkey_invalid'), ...signedOut }, () => ({ credential: registration })),
    rename: row({ ...all('passkey_not_found'), ...signedOut }, () => ({ id: 'AAAA', name: 'Laptop' })),
    remove: row({ ...all('passkey_not_found'), ...signedOut }, () => ({ id: 'AAAA' })),
    locks: row(signedOut),
    offer: row(signedOut),
    declineOffer: row(signedOut),
    beginPasskey: reading(nobody, () => ({ second_step: 0 })),
    signInWithPasskey: row(all('passkey_unknown'), () => ({ credential: assertion, timezone: '' })),
  },
  authenticator: {
    app: row(signedOut),
    beginSetup: reading(signedOut),
    finishSetup: row({ ...all('otp_expired'), ...signedOut }, () => ({ setup: 'AAAA', code: TYPED_CODE })),
    removeApp: row({ ...all('not_found'), ...signedOut }),
  },
  recoveryCodes: {
    count: row(signedOut),
    renew: row({ ...all('not_allowed'), ...signedOut }),
  },
  rememberedBrowsers: {
    remembered: row(signedOut),
    forget: reading(signedOut),
  },
};
