import type { applicationIcons } from '#contract/applications/icons.ts';
import { readApplicationIcon, uploadApplicationIcon } from '#server/applications/icons/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { senderOf } from '#server/images.ts';

export const applicationIconRoutes = (deps: Deps): Handlers<typeof applicationIcons> => ({
  uploadApplicationIcon: ({ input, scope, ...call }) =>
    uploadApplicationIcon(deps, { ...call.caller, ...scope }, input, senderOf(call)),
  applicationIcon: ({ input }) => readApplicationIcon(deps, input),
});
