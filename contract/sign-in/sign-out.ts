import { endpoint } from '#contract/endpoint.ts';
import * as z from 'zod/mini';
import { flag, shape } from '#contract/wire.ts';

export const signingOut = {
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    access: 'session',
    beforeProof: 'whole',
    endsSession: true,
    /** `atCompany`: the company may offer its own sign-out, too. */
    output: shape({ atCompany: z.optional(flag) }),
  }),
};
