import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { lock, passkey } from './passkeys.ts';
import { rememberedBrowser } from './remembered-browsers.ts';
import { time } from '#contract/time.ts';
import { shape } from '#contract/wire.ts';

/** Passkeys and second steps of the caller. Two-step sign-in is on the profile, linked sign-ins in `social`. */
export const waysIn = {
  read: endpoint({
    method: 'GET',
    path: '/api/waysin',
    access: 'session',
    output: shape({
      passkeys: z.array(passkey),
      app: z.nullable(shape({ createdTime: time, lastUsedTime: z.nullable(time) })),
      recoveryCodes: z.nullable(shape({ left: z.int(), createdTime: time })),
      rememberedBrowsers: z.array(rememberedBrowser),
      /** `passkey` applies to a person's only passkey. */
      locks: shape({ passkey: lock, app: lock, twoStep: lock }),
      /** The name of the organization with the strictest rule that holds. */
      requiredBy: z.nullable(z.string()),
    }),
  }),
};
