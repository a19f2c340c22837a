import type { drive } from '#contract/drive.ts';
import type { organizationSettings } from '#contract/organizations.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import {
  nameIcon,
  readIcon,
  readPicture,
  removePicture,
  uploadIcon,
  uploadPicture,
} from '#server/drive/actions.ts';
import type { Handlers } from '#server/http/serve.ts';

const selfOf = ({ userId }: { userId: UserId }, scope: { orgId: OrgId } | null) => ({
  userId,
  orgId: scope?.orgId ?? null,
});

export const driveRoutes = (deps: Deps): Omit<Handlers<typeof drive>, 'removePicture'> => ({
  uploadIcon: ({ input, scope }) => uploadIcon(deps, scope, input),
  icon: ({ input, scope }) => readIcon(deps, input, scope),
  uploadPicture: ({ input, caller, scope }) => uploadPicture(deps, selfOf(caller, scope), input),
  picture: ({ input, caller }) => readPicture(deps, input, caller.userId),
});

/** What of the drive comes without a file, and so as JSON. */
export const pictureRoutes = (deps: Deps): Pick<Handlers<typeof drive>, 'removePicture'> => ({
  removePicture: ({ caller, scope }) => removePicture(deps, selfOf(caller, scope)),
});

/** The account server's share of icons: naming the one to show. */
export const iconRoutes = (deps: Deps): Pick<Handlers<typeof organizationSettings>, 'setIcon'> => ({
  setIcon: ({ input, scope }) => nameIcon(deps, scope, input),
});
