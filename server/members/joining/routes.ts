import type { members } from '#contract/members/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { answerInvitation, listInvitations, readInvitation } from '#server/members/joining/actions.ts';

type Calls = 'invitation' | 'invitations' | 'answer';
export const joiningRoutes = (deps: Deps): Pick<Handlers<typeof members>, Calls> => ({
  invitation: ({ input, caller }) => readInvitation(deps, input.digest, caller?.userId),
  invitations: ({ caller }) => listInvitations(deps, caller),
  answer: ({ input, caller }) => answerInvitation(deps, caller, input),
});
