import * as z from 'zod/mini';
import { grantId, SCOPES } from './registration.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { flag, input, shape } from '#contract/wire.ts';

const connectedApplication = shape({
  /** Opaque: it reveals neither order nor count. */
  id: grantId,
  name: z.string(),
  icon: z.nullable(z.string()),
  /** The organization that the person entered the application for. */
  organization: z.nullable(z.string()),
  isFirstParty: flag,
  /** Whether it is an application of that organization. */
  isOwn: flag,
  scopes: z.array(z.literal(SCOPES)),
  since: time,
  lastUsed: time,
});
export type ConnectedApplication = z.output<typeof connectedApplication>;

export const connectedApplications = {
  listConnected: endpoint({
    method: 'GET',
    path: '/api/applications/connected',
    access: 'session',
    beforeProof: 'reduced',
    output: z.array(connectedApplication),
  }),
  removeAccess: endpoint({
    method: 'DELETE',
    path: '/api/applications/connected',
    access: 'session',
    input: input({ id: grantId }),
    output: z.array(connectedApplication),
  }),
};
