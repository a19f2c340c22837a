import type { members } from '#contract/members/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { inviteMember, resendInvitation } from '#server/members/invitations/actions.ts';

export const invitationRoutes = (deps: Deps): Pick<Handlers<typeof members>, 'invite' | 'resend'> => ({
  invite: ({ input, scope, caller }) => inviteMember(deps, scope, caller, input),
  resend: ({ input, scope, caller }) => resendInvitation(deps, scope, caller, input.userId),
});
