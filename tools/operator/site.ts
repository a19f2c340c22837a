import type { ActName } from '#contract/operator/acts.ts';
import { type Config, readConfig, WrongEnvironment } from '#server/config.ts';
import type { Shown } from '#server/operator/work.ts';
import { Plain, told } from './plain.ts';
import { askPortal } from './portal.ts';

export type Told = Shown & { readonly note?: string | undefined };
export type Input = Readonly<Record<string, unknown>>;
/** The installation that the environment describes. */
export type Site = {
  readonly config: Config;
  /** Does an act in the portal, or here if none runs. Throws Plain with the reason if it is refused. */
  readonly ask: (name: ActName, input: Input) => Promise<Told>;
};

export function siteOf(environment: NodeJS.ProcessEnv, operator: string): Site {
  const config = configOf(environment);
  const ask: Site['ask'] = async (name, input) => {
    const answer = await askPortal(config, { name, input, operator });
    // The whole server takes long to load.
    return answer ? told(answer) : (await import('./here.ts')).askHere(config, operator, name, input);
  };
  return { config, ask };
}

function configOf(environment: NodeJS.ProcessEnv): Config {
  try {
    // Commands count no limits, and a Redis connection would keep this process alive.
    return { ...readConfig(environment), redisUrl: null };
  } catch (error) {
    throw error instanceof WrongEnvironment ? new Plain(error.message) : error;
  }
}
