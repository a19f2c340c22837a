import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, nothing, type SessionId, sessionId, shape } from '#contract/wire.ts';

/** A call that answers 204 without a body: a browser's beacon reads no answer. */
export const noContent = z.custom<undefined>(() => true);

/** A device that is signed in; its names are "Unknown" where nobody can tell. */
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

// The library's own would be one more kind of schema on the first page.
const anything = z.custom(() => true);

/** What can be no id names no session either, and is answered so (docs/security.md D5). */
const namedSession = z.codec(anything, z.custom<SessionId | null>(), {
  decode: (value) => z.safeParse(sessionId, value).data ?? null,
  encode: (id) => id,
});

export const sessions = {
  beacon: endpoint({
    method: 'POST',
    path: '/api/activesession',
    access: 'session',
    output: noContent,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/usersession',
    access: 'session',
    output: z.array(session),
  }),
  /** Ends one session, or all but the one that asks. */
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
