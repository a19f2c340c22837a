import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { SCOPES } from '#contract/split-by-bytes/scopes.ts';
import { PROOFS } from '#contract/sign-in/step-up.ts';
import { flag, input, orgId, shape } from '#contract/wire.ts';

/** The id of an open authorization request, in the address of its page. */
const request = z.string().check(z.regex(/^[\w-]{1,100}$/));

/** The step that an application's request waits for; at `go-on` the page answers by itself, `leave` shows an error's host. */
const authorizationStep = z.literal([
  'go-on',
  'sign-in',
  'sign-up',
  'confirm',
  'account',
  'no-entry',
  'organization',
  'company',
  'second-step',
  'consent',
  'leave',
]);

export type Step = z.output<typeof authorizationStep>;

/** The first proof to offer: one of `PROOFS`, or else a new sign-in. */
const proof = z.literal([...PROOFS, 'sign-in']);
export type Proof = z.output<typeof proof>;

export const authorization = {
  show: endpoint({
    method: 'GET',
    path: '/api/authorization',
    access: 'public',
    input: input({ request }),
    output: shape({
      step: authorizationStep,
      application: shape({
        name: z.string(),
        icon: z.nullable(z.string()),
        organization: z.nullable(z.string()),
        isFirstParty: flag,
        /** The host that receives the answer; null for a program on the person's own device. */
        host: z.nullable(z.string()),
      }),
      /** Names the person for the calls of the page (`PERSON_HEADER`). */
      person: z.nullable(z.string()),
      /** The person's address, or their name if they have none. */
      signedInAs: z.nullable(z.string()),
      /** The address for the sign-in form, from the request's `login_hint`. */
      loginHint: z.nullable(z.string()),
      /** Null except at `confirm`, and at a `second-step` that the application asks for. */
      proof: z.nullable(proof),
      scopes: z.array(z.literal(SCOPES)),
      /** The organizations to choose from, or the one that the request is for. */
      organizations: z.array(
        shape({
          id: orgId,
          name: z.string(),
          urlName: z.string(),
          mayEnter: flag,
          needs: z.nullable(z.literal(['company', 'second-step'])),
        }),
      ),
      /** At `leave`, where the application gets its error. */
      errorUrl: z.nullable(z.string()),
    }),
    failures: ['authorization_expired'],
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/authorization',
    access: 'session',
    beforeProof: 'whole',
    input: input({ request, accept: flag, orgId: z.optional(orgId), remember: z.optional(flag) }),
    output: shape({ url: z.string() }),
    failures: ['authorization_expired', 'org_not_found', 'reauthentication_required'],
  }),
};
