import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, nothing, shape } from '#contract/wire.ts';

/** A UUID. Not `z.uuid`, which would weigh on every page with a form. */
export const rememberedBrowserId = z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));

export const rememberedBrowser = shape({
  id: rememberedBrowserId,
  browserName: z.string(),
  systemName: as('OS_name', z.string()),
  ipAddress: z.string(),
  location: z.string(),
  createdTime: time,
  expiresTime: time,
  isCurrent: flag,
});
export type RememberedBrowser = z.output<typeof rememberedBrowser>;

export const rememberedBrowsers = {
  /** Forgets one browser, or all of them without an id. */
  forget: endpoint({
    method: 'DELETE',
    path: '/api/rememberedbrowsers',
    access: 'session',
    input: input({ id: z.optional(rememberedBrowserId) }),
    output: nothing,
  }),
};
