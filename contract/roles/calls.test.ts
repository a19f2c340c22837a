import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { services } from './permissions.ts';
import { permissionOf, roles } from './calls.ts';

const nothing = permissionOf(new Set());
const answer = (sign: object) =>
  z.decode(roles.read.output, { role_id: 7, role_name: 'Sales', role_permission: { sign } });

test('a page reads the modules that it knows, from a newer or an older server', () => {
  const none = { create: 0, read: 0, update: 0, delete: 0 };
  const permissions = Object.fromEntries(Object.keys(services.sign.modules).map((module) => [module, none]));
  const { 5: _, ...older } = permissions;
  expect(answer({ ...permissions, 99: none })).toMatchObject({ rolePermission: nothing });
  expect(answer(older)).toEqual(answer({ ...older, 99: none }));
});
