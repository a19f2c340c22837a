import { endpoint } from '#contract/endpoint.ts';
import { nothing } from '#contract/wire.ts';

/** The call that ends a session. A file of its own, because the login page never signs out. */
export const signingOut = {
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    access: 'session',
    endsSession: true,
    output: nothing,
  }),
};
