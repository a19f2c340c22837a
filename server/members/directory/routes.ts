import type { members } from '#contract/members.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createDirectory } from '#server/members/directory/actions.ts';

export const directoryRoutes = (deps: Deps): Pick<Handlers<typeof members>, 'list'> => {
  const list = createDirectory(deps);
  return { list: ({ input, scope }) => list(scope.orgId, input) };
};
