import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { shape } from '#contract/wire.ts';

export const recoveryCodes = {
  /** Makes new codes and ends the old ones. They are in this answer only. */
  renew: endpoint({
    method: 'POST',
    path: '/api/recoverycodes',
    access: 'session',
    recentProof: true,
    output: shape({ codes: z.array(z.string()) }),
    failures: ['not_allowed', 'mailed_code_required', 'strong_step_required'],
  }),
};
