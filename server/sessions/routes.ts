import { Refusal } from '#contract/errors.ts';
import type { sessions } from '#contract/sessions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createDeviceList, endDevices, type ForgetDevices } from '#server/sessions/actions.ts';

export const beaconRoutes: Handlers<Pick<typeof sessions, 'beacon'>> = {
  // Finding the session has already noted that the person is active; there is nothing more to do.
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
      const ended = await endDevices(deps, caller, input, forgetDevices);
      if (ended instanceof Refusal) return ended;
      if (ended.endedCurrent) cookies.session.clear();
      return {};
    },
  };
};
