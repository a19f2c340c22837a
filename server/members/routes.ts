import type { members } from '#contract/members/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { editMember, removeMember } from './actions.ts';
import { openDirectory } from '#server/members/directory/listing.ts';
import { inviteMember, resendInvitation } from '#server/members/invitations/actions.ts';
import { answerInvitation, listInvitations, readInvitation } from '#server/members/joining/actions.ts';

export function memberRoutes(deps: Deps): Handlers<typeof members> {
  const list = openDirectory(deps);
  return {
    list: ({ input, scope }) => list(scope, input),
    invite: ({ input, scope, caller }) => inviteMember(deps, scope, caller, input),
    resend: ({ input, scope, caller }) => resendInvitation(deps, scope, caller, input.userId),
    edit: ({ input, scope }) => editMember(deps, scope, input),
    remove: ({ input, scope, caller }) => removeMember(deps, scope, input, caller.confirmed),
    invitation: ({ input, caller }) => readInvitation(deps, input.digest, caller?.userId),
    invitations: ({ caller }) => listInvitations(deps, caller),
    answer: ({ input, caller }) => answerInvitation(deps, caller, input),
  };
}
