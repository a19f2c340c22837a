import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Visitor } from './visitor.ts';
import { responseOf } from './visitor.ts';

type Options = {
  readonly challenge: string;
  readonly user?: { readonly id: string };
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
};
export type Trick = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly signCount?: number;
  readonly userHandle?: string;
};

const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;
const text = (value: Buffer) => value.toString('base64url');
const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest();

/** A software authenticator with one passkey (WebAuthn, section 6): ES256, without attestation. */
export class Authenticator {
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #aaguid: Buffer;
  readonly #isSynced: boolean;
  readonly id = randomBytes(32);
  userHandle: string | undefined;
  signCount = 0;
  constructor(origin: string, { aaguid = '00000000-0000-0000-0000-000000000000', isSynced = true } = {}) {
    this.#origin = origin;
    this.#aaguid = Buffer.from(aaguid.replaceAll('-', ''), 'hex');
    this.#isSynced = isSynced;
  }

  #clientData(type: string, challenge: string, trick: Trick) {
    const data = {
      type: trick.type ?? type,
      challenge: trick.challenge ?? challenge,
      origin: trick.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  #authData(rpId: string, trick: Trick, extra = Buffer.alloc(0), more = 0) {
    const flags =
      (trick.isPresent === false ? 0 : UP) |
      (trick.isVerified === false ? 0 : UV) |
      (this.#isSynced ? BE | BS : 0) |
      more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(trick.signCount ?? this.signCount);
    return Buffer.concat([sha256(trick.rpId ?? rpId), Buffer.of(flags), count, extra]);
  }

  /** The answer of `navigator.credentials.create`. */
  create(options: Options, trick: Trick = {}) {
    this.userHandle = options.user?.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([this.#aaguid, length, this.id, Buffer.from(isoCBOR.encode(key))]);
    const authData = this.#authData(options.rp?.id ?? '', trick, credential, AT);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', options.challenge, trick)),
        attestationObject: text(
          Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
        ),
        transports: ['internal'],
      },
    };
  }

  /** The answer of `navigator.credentials.get`. */
  get(options: Options, trick: Trick = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, trick);
    const authData = this.#authData(options.rpId ?? '', trick);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(signature),
        userHandle: trick.userHandle ?? this.userHandle ?? null,
      },
    };
  }
}

type WithOptions = { readonly options: Options };
const place = { timezone: '' };

export const askForNewPasskey = async (visitor: Visitor) =>
  responseOf<WithOptions>(await visitor.post('/api/passkeys/options', {})).options;

export async function addPasskey(visitor: Visitor, origin: string, kind: { aaguid?: string } = {}) {
  const authenticator = new Authenticator(origin, kind);
  const credential = authenticator.create(await askForNewPasskey(visitor));
  responseOf(await visitor.post('/api/passkeys', { credential }));
  return authenticator;
}

export const askForPasskey = async (visitor: Visitor, isSecondStep = false) =>
  responseOf<WithOptions>(
    await visitor.post('/api/signin/passkey/options', { second_step: isSecondStep ? 1 : 0 }),
  ).options;

export async function signInByPasskey(
  visitor: Visitor,
  authenticator: Authenticator,
  trick: Trick = {},
  isSecondStep = false,
) {
  const credential = authenticator.get(await askForPasskey(visitor, isSecondStep), trick);
  return visitor.post('/api/signin/passkey', { credential, ...place });
}
