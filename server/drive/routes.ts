import type { drive } from '#contract/drive/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import {
  setIcon,
  readIcon,
  readLinkedPicture,
  readPicture,
  removePicture,
  uploadIcon,
  uploadPicture,
} from './actions.ts';
import type { Handlers } from '#server/http/serve.ts';
import { senderOf } from '#server/images.ts';

const selfOf = ({ userId }: { userId: UserId }, scope: { orgId: OrgId } | null) => ({
  userId,
  orgId: scope?.orgId ?? null,
});

export const driveRoutes = (deps: Deps): Omit<Handlers<typeof drive>, 'removePicture' | 'setIcon'> => ({
  uploadIcon: ({ input, scope, ...call }) => uploadIcon(deps, scope, input, senderOf(call)),
  icon: ({ input, scope }) => readIcon(deps, input, scope),
  uploadPicture: ({ input, scope, ...call }) =>
    uploadPicture(deps, selfOf(call.caller, scope), input, senderOf(call)),
  linkedPicture: ({ input }) => readLinkedPicture(deps, input),
  picture: ({ input, caller }) => readPicture(deps, input, caller),
});

export const jsonDriveRoutes = (deps: Deps): Pick<Handlers<typeof drive>, 'removePicture' | 'setIcon'> => ({
  removePicture: ({ caller, scope }) => removePicture(deps, selfOf(caller, scope)),
  setIcon: ({ input, scope }) => setIcon(deps, scope, input),
});
