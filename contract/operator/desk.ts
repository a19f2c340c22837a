import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { type Field, optionsOf, wordsOf } from './act.ts';
import { dataOf } from './looks.ts';
import { actNamed, type ActName, acts } from './acts.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { assertion, passkeyOptions } from '#contract/split-by-bytes/passkey-parts.ts';
import { time } from '#contract/time.ts';
import { flag, input, nothing, shape } from '#contract/wire.ts';

// The calls of the operator's desk. They are no part of the documented API: for everybody but operators they do not exist.

/** An answer in the sentences of the terminal, and as data. */
const answerOf = (data: z.core.$ZodType) => shape({ lines: z.array(z.string()), data });

export const DESK_PROOFS = ['passkey', 'app'] as const;

export const deskEntry = {
  read: endpoint({
    method: 'GET',
    path: '/api/operator',
    access: 'session',
    output: shape({
      /** The id of the operator, who cannot agree to their own request. */
      id: z.int(),
      level: z.literal(['support', 'full']),
      /** Null if the desk asks for a proof first. */
      openUntil: z.nullable(time),
      /** The proofs that the operator can give, the strongest first. */
      ways: z.array(z.literal(DESK_PROOFS)),
      /** How many acts wait for a second operator. */
      waiting: z.int(),
    }),
    failures: ['not_allowed'],
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/api/operator/passkey',
    access: 'session',
    output: shape({ options: passkeyOptions }),
    failures: ['not_allowed'],
  }),
  /** Opens the desk, and gives the fresh proof that a change asks for. Takes exactly one of both. */
  enter: endpoint({
    method: 'POST',
    path: '/api/operator/session',
    access: 'session',
    input: input({ passkey: z.optional(assertion), appCode: z.optional(otp) }),
    output: shape({ openUntil: time }),
    failures: ['not_allowed', 'otp_invalid', 'passkey_invalid', 'passkey_unknown', 'too_many_requests'],
  }),
  leave: endpoint({ method: 'DELETE', path: '/api/operator/session', access: 'session', output: nothing }),
};

/** Agrees to an act that waits, which runs then, or refuses it. */
export const deskAnswer = endpoint({
  method: 'POST',
  path: '/api/operator/requests',
  access: 'session',
  input: input({ id: z.int(), agree: flag }),
  output: answerOf(z.nullable(z.record(z.string(), z.unknown()))),
});

export const deskActs = (Object.keys(acts) as ActName[]).filter((name) => actNamed(name).level !== 'machine');

/** A value as it travels. The rule of the act itself checks it, and answers in a sentence. */
const values = { one: z.string(), several: z.array(z.string()), flag: z.boolean(), file: z.string() };
const valueOf = ({ kind }: Field): z.ZodMiniType => z.optional(values[kind]);

/** The call of an act: a look is a GET, a change a POST with its reason. */
export function deskCall(name: ActName) {
  const act = actNamed(name);
  const fields = Object.entries({ ...wordsOf(act), ...optionsOf(act) });
  return endpoint({
    method: act.row ? 'POST' : 'GET',
    path: `/api/operator/${name.replaceAll(' ', '-')}`,
    access: 'session',
    /** A look leaves a row, too. */
    alsoWrites: true,
    input: input(Object.fromEntries(fields.map(([field, one]) => [field, valueOf(one)]))),
    output: answerOf(dataOf(name, act)),
    failures: ['too_many_requests'],
  });
}
