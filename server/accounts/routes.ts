import type { accounts } from '#contract/accounts.ts';
import { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { resendVerification, signUp, verifyEmail } from '#server/accounts/actions.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers, Origin } from '#server/http/serve.ts';

/** What accounts need of sessions, which stand above them in the order of features. */
export type SessionDoor = {
  open(tx: Tx, userId: UserId, origin: Origin): Promise<string>;
  endAll(tx: Tx, userId: UserId): Promise<unknown>;
};

export const accountRoutes = (deps: Deps, sessions: SessionDoor): Handlers<typeof accounts> => ({
  signUp: async ({ input, origin, cookie }) => {
    let token = '';
    const id = await signUp(deps, input, async (tx, userId) => {
      token = await sessions.open(tx, userId, origin);
    });
    if (id instanceof Refusal) return id;
    if (id === null) return { confirmed: false };
    cookie.set(token);
    return { id, confirmed: false };
  },
  verifyEmail: ({ input, caller }) => verifyEmail(deps, input, caller?.userId, sessions.endAll),
  resendVerification: ({ input }) => resendVerification(deps, input.email),
});
