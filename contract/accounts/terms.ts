import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { as, input, nothing } from '#contract/wire.ts';

/** The version of the operator's terms that a page showed. The current one counts for one that never was. */
export const termsVersion = z.string().check(z.maxLength(40));

export const terms = {
  agree: endpoint({
    method: 'POST',
    path: '/api/terms',
    access: 'session',
    beforeProof: 'whole',
    input: input({ version: as('terms_version', termsVersion) }),
    output: nothing,
  }),
};
