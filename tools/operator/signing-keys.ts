import { listKeys } from '#server/applications/data-keys.ts';
import { rotateKeys } from '#server/operator/actions.ts';
import { by, type Commands, listed } from './command.ts';

export const signingKeyCommands: Commands = {
  'keys list': {
    does: 'List the published keys that sign tokens for applications',
    run: {
      looksUp: async ({ sql, clock }) => {
        const now = clock.now();
        const keys = (await listKeys(sql, now)).map(({ kid, algorithm, signs_from, retires_at }) => ({
          kid,
          algorithm,
          signs_from,
          retires_at,
        }));
        const lineOf = ({ kid, algorithm, signs_from: from, retires_at: end }: (typeof keys)[number]) => {
          const start = `${from > now ? 'signs from' : 'signs since'} ${from.toISOString()}`;
          return `${kid}  ${algorithm}  ${start}${end ? `, leaves at ${end.toISOString()}` : ''}`;
        };
        return listed(keys, lineOf, 'There are none yet. The first sign-in makes them.');
      },
    },
  },
  'keys rotate': {
    accepts: ['at-once'],
    does: 'Publish new keys; they sign after a day, and the old ones leave an hour later. After a leak: --at-once',
    run: {
      changes: async (deps, _args, options) => {
        const isAtOnce = options['at-once'] ?? false;
        const { former, kids, signsFrom } = await rotateKeys(deps, by, isAtOnce);
        const lines = [`${kids.join(' and ')} sign from ${signsFrom.toISOString()}.`];
        if (isAtOnce) lines.push(`Withdrawn: ${former.join(', ')}.`);
        return { lines, data: { kids, signs_from: signsFrom } };
      },
    },
  },
};
