import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, nothing, type SessionId, sessionId, shape } from '#contract/wire.ts';

/** A signed-in device. Unknown names are "Unknown". */
const session = shape({
  id: sessionId,
  ipAddress: z.string(),
  browserName: z.string(),
  systemName: as('OS_name', z.string()),
  deviceName: z.string(),
  location: z.string(),
  recentActivity: time,
  isCurrent: as('CurrentSession', flag),
  createdTime: time,
});
export type Session = z.output<typeof session>;

// zod's `z.any` would add another schema kind to the first page.
const anything = z.custom(() => true);

/** An invalid id becomes null, so that the answer is the same as for an unknown session (docs/security.md D5). */
const namedSession = z.codec(anything, z.custom<SessionId | null>(), {
  decode: (value) => z.safeParse(sessionId, value).data ?? null,
  encode: (id) => id,
});

export const sessions = {
  /** Its body is never read, and the page ignores the answer. */
  beacon: endpoint({
    method: 'POST',
    path: '/api/activesession',
    access: 'session',
    beforeProof: 'whole',
    answers: 'nothing',
    output: z.custom<undefined>(() => true),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/usersession',
    access: 'session',
    beforeProof: 'reduced',
    output: z.array(session),
  }),
  /** Ends one session, or all except the caller's. */
  end: endpoint({
    method: 'DELETE',
    path: '/api/usersession',
    access: 'session',
    input: input({
      sessionId: z.optional(namedSession),
      currentSession: z.optional(z.literal(1)),
      others: z.optional(z.literal(1)),
    }),
    output: nothing,
    failures: ['session_not_found', 'reauthentication_required'],
  }),
};
