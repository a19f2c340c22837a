import type { waysIn } from '#contract/sign-in/ways-in.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { readWaysIn } from '#server/sign-in/ways-in/reading.ts';

export const waysInRoutes = (deps: Deps): Handlers<typeof waysIn> => ({
  read: ({ caller, cookies }) => readWaysIn(deps, caller.userId, cookies.device.value),
});
