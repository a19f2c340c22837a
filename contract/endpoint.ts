import type * as z from 'zod/mini';
import type { RefusalName } from '#contract/errors.ts';
import { input } from '#contract/wire.ts';

type Schema = z.core.$ZodType;

/** Who may call: anyone, someone signed in, or an admin of the organization that the input names. */
type Access = 'public' | 'session' | 'admin';

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${'api' | 'drive'}/${string}`;
  readonly access: Access;
  /** Needs a proof of identity younger than REAUTH_WINDOW_MINUTES. */
  readonly recentProof?: true;
  /** Leaves no session behind, not even the cookie of one that has ended. */
  readonly leavesSession?: true;
  /** Without an org_id the call works in the caller's default organization. */
  readonly inDefaultOrganization?: true;
  /** A body of multipart/form-data in place of JSON: one part a field, at most 5 MB. */
  readonly body?: 'form';
  /** Writes, though it is a GET: that it was asked for is part of the log. */
  readonly alsoWrites?: true;
  /** Waits for a server of other people's, so it takes no place among the calls that are answered at once. */
  readonly waitsElsewhere?: true;
  readonly input: Schema;
  readonly output: Schema;
  /** What the call itself may refuse with; the refusals that every call shares are not listed. */
  readonly failures: readonly RefusalName[];
};

export type Input<E extends Endpoint> = z.output<E['input']>;
export type Output<E extends Endpoint> = z.output<E['output']>;
export type FailureOf<E extends Endpoint> = E['failures'][number];

/** The input of calls that take nothing. */
const noInput = input({});

/** Describes one call; a GET reads its input from the query, every other method from a JSON body. */
export function endpoint<const E extends Omit<Endpoint, 'input' | 'failures'> & Partial<Endpoint>>(
  description: E,
) {
  return { input: noInput, failures: [], ...description } as unknown as Omit<E, 'input' | 'failures'> & {
    readonly input: E extends { input: infer I extends Schema } ? I : typeof noInput;
    readonly failures: E extends { failures: infer F extends readonly RefusalName[] } ? F : readonly [];
  };
}
