import { endpoint } from '#contract/endpoint.ts';
import { nothing } from '#contract/wire.ts';

export const signingOut = {
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/logout',
    access: 'session',
    endsSession: true,
    output: nothing,
  }),
};
