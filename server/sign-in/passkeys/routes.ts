import type { passkeys } from '#contract/sign-in/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  addPasskey,
  beginPasskey,
  closeOffer,
  readOffer,
  removePasskey,
  renameOwnPasskey,
} from '#server/sign-in/passkeys/actions.ts';

export const passkeyRoutes = (deps: Deps): Handlers<typeof passkeys> => ({
  begin: ({ caller }) => beginPasskey(deps, caller),
  add: ({ caller, input }) => addPasskey(deps, caller, input.credential),
  rename: ({ caller, input }) => renameOwnPasskey(deps, caller, input.id, input.name),
  remove: ({ caller, input }) => removePasskey(deps, caller, input.id),
  offer: ({ caller }) => readOffer(deps, caller.userId),
  declineOffer: ({ caller }) => closeOffer(deps, caller.userId),
});
