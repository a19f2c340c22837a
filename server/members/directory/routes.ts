import type { members } from '#contract/members.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { listDirectory } from '#server/members/directory/actions.ts';

export const directoryRoutes = (deps: Deps): Pick<Handlers<typeof members>, 'list'> => ({
  list: ({ input, scope }) => listDirectory(deps, scope.orgId, input),
});
