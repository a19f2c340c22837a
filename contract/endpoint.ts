import type * as z from 'zod/mini';
import type { RefusalName } from './errors.ts';
import { input } from './wire.ts';

type Schema = z.core.$ZodType;

/** Callers: anyone, a signed-in person, or an admin of the organization in the input. */
type Access = 'public' | 'session' | 'admin';

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${'api' | 'drive'}/${string}`;
  readonly access: Access;
  /** Public, but a session proves something here, so the session must stay valid until the call ends. */
  readonly sessionProves?: true;
  /** Needs a proof of identity younger than REAUTH_WINDOW_MINUTES. */
  readonly recentProof?: true;
  /**
   * How much a session gets for which only a company has vouched: all of it, a part, or only the organization that the
   * call names. Without a word the call waits for the account's proof.
   */
  readonly beforeProof?: 'whole' | 'reduced' | 'named';
  /** Ends the session and clears its cookie, even if the session has already ended. */
  readonly endsSession?: true;
  /** Without an org_id the call works in the caller's default organization. */
  readonly inDefaultOrganization?: true;
  /** The body is multipart/form-data instead of JSON: one part per field, at most 5 MB. */
  readonly body?: 'form';
  /** Instead of JSON: an image, a file that is produced while it is sent, or 204 without a body. */
  readonly answers?: 'image' | 'file' | 'nothing';
  /** Writes although it is a GET, for example because the log records the request. */
  readonly alsoWrites?: true;
  /** Waits for a foreign server, so it has its own queue, apart from calls that are answered at once. */
  readonly waitsElsewhere?: true;
  /** Answers a machine, so addresses keep their stored form. For people, the server writes them in Unicode. */
  readonly readBy?: 'application';
  readonly input: Schema;
  readonly output: Schema;
  /** Refusals of this call. The refusals that every call shares are not listed. */
  readonly failures: readonly RefusalName[];
};

export type Input<E extends Endpoint> = z.output<E['input']>;
export type Output<E extends Endpoint> = z.output<E['output']>;
export type FailureOf<E extends Endpoint> = E['failures'][number];

const noInput = input({});

/** Describes one call. A GET reads its input from the query, other methods from a JSON body. */
export function endpoint<const E extends Omit<Endpoint, 'input' | 'failures'> & Partial<Endpoint>>(
  description: E,
) {
  return { input: noInput, failures: [], ...description } as unknown as Omit<E, 'input' | 'failures'> & {
    readonly input: E extends { input: infer I extends Schema } ? I : typeof noInput;
    readonly failures: E extends { failures: infer F extends readonly RefusalName[] } ? F : readonly [];
  };
}
