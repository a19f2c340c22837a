import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { input, shape } from '#contract/wire.ts';

/** The id of an application's open request to sign out, in the address of its page. */
const request = z.string().check(z.regex(/^[\w-]{1,100}$/));

export const applicationSignOut = {
  showSignOut: endpoint({
    method: 'GET',
    path: '/api/authorization/signout',
    access: 'session',
    beforeProof: 'whole',
    input: input({ request }),
    /** The name of the application, if it is known, and where the browser goes afterwards. */
    output: shape({ application: z.nullable(z.string()), url: z.string() }),
    failures: ['authorization_expired'],
  }),
  confirmSignOut: endpoint({
    method: 'POST',
    path: '/api/authorization/signout',
    access: 'session',
    beforeProof: 'whole',
    endsSession: true,
    input: input({ request }),
    output: shape({ url: z.string() }),
    failures: ['authorization_expired'],
  }),
};
