import { Refusal } from '#contract/errors.ts';
import type { sessions } from '#contract/sessions/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createDeviceList, endDevices, type ForgetDevices } from './actions.ts';

export const beaconRoutes: Handlers<Pick<typeof sessions, 'beacon'>> = {
  // The session lookup has already recorded the activity.
  beacon: async () => undefined,
};

export const sessionRoutes = (
  deps: Deps,
  forgetDevices: ForgetDevices,
): Handlers<Omit<typeof sessions, 'beacon'>> => {
  const listDevices = createDeviceList(deps);
  return {
    list: ({ caller }) => listDevices(caller),
    end: async ({ caller, input, cookies }) => {
      const result = await endDevices(deps, caller, input, forgetDevices);
      if (result instanceof Refusal) return result;
      if (result.endedCurrent) cookies.session.clear();
      return {};
    },
  };
};
