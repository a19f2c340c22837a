import type { drive } from '#contract/drive.ts';
import type { organizationSettings } from '#contract/organizations.ts';
import type { Deps } from '#server/deps.ts';
import { nameIcon, readIcon, uploadIcon } from '#server/drive/actions.ts';
import type { Handlers } from '#server/http/serve.ts';

export const driveRoutes = (deps: Deps): Handlers<typeof drive> => ({
  uploadIcon: ({ input, scope }) => uploadIcon(deps, scope, input),
  icon: ({ input, scope }) => readIcon(deps, input, scope),
});

/** The account server's share of icons: naming the one to show. */
export const iconRoutes = (deps: Deps): Pick<Handlers<typeof organizationSettings>, 'setIcon'> => ({
  setIcon: ({ input, scope }) => nameIcon(deps, scope, input),
});
