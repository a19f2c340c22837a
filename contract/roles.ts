import * as z from 'zod/mini';
import { time } from '#contract/time.ts';
import { flag, roleId, shape } from '#contract/wire.ts';

export const SUPER_ADMIN = 'Super Admin';
export const ADMIN = 'Admin';

export const role = shape({
  id: roleId,
  name: z.string(),
  createdTime: time,
  createdBy: z.string(),
  isAdmin: flag,
  isSystem: flag,
  members: z.int(),
});
export type Role = z.output<typeof role>;
