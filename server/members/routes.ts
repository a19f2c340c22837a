import type { members } from '#contract/members/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { editMember, removeMember } from '#server/members/actions.ts';

export const memberRoutes = (deps: Deps): Pick<Handlers<typeof members>, 'edit' | 'remove'> => ({
  edit: ({ input, scope }) => editMember(deps, scope, input),
  remove: ({ input, scope, caller }) => removeMember(deps, scope, input, caller.confirmed),
});
