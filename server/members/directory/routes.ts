import type { members } from '#contract/members/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { openDirectory } from '#server/members/directory/listing.ts';

export const directoryRoutes = async (deps: Deps): Promise<Pick<Handlers<typeof members>, 'list'>> => {
  const list = openDirectory(deps);
  return { list: ({ input, scope }) => list(scope, input) };
};
