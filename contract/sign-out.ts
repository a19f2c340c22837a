import { endpoint } from '#contract/endpoint.ts';
import { nothing } from '#contract/wire.ts';

/** The call that ends a session; apart, as nobody on the login page has one. */
export const signingOut = {
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    access: 'session',
    leavesSession: true,
    output: nothing,
  }),
};
