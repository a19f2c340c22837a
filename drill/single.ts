import path from 'node:path';
import { type Contestants, populateContest } from './contests.ts';
import { brokenInvariants, type Evidence, crashedProcesses } from './invariants.ts';
import { withDeps, type Person, populate } from './people.ts';
import { type Portico, portico } from './processes.ts';
import type { Drill } from './scenario.ts';
import { type Wire, wireTo } from './wire.ts';

const HOST = 'accounts.example';
const some = { organizations: 4, peopleEach: 5 };

/** One process with the embedded database, as on the internet: real limits, behind a trusted proxy. */
export interface Single {
  readonly portal: Portico;
  readonly people: readonly Person[];
  readonly contestants: Contestants;
  readonly wire: Wire;
  /** Stops the process and checks all invariants; returns the breaches in words. */
  breaches(evidence?: Omit<Evidence, 'logs'>): Promise<string[]>;
  end(): Promise<void>;
}

export async function startSingle(drill: Drill, name: string, crowd = some): Promise<Single> {
  const folder = drill.folder(name);
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: `https://${HOST}`,
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    DRAIN_SECONDS: '0',
  };
  const { people, contestants } = await withDeps(settings, async (deps) => ({
    people: await populate(deps, crowd.organizations, crowd.peopleEach),
    contestants: await populateContest(deps),
  }));
  const portal = await portico(folder, settings);
  portal.launch();
  await portal.ready();
  const wire = wireTo(portal.url, { host: HOST });
  const end = async () => {
    wire.close();
    await portal.program().end();
  };
  return {
    portal,
    people,
    contestants,
    wire,
    breaches: async (evidence = {}) => {
      const crashed = crashedProcesses([portal]);
      await end();
      const logs = [portal.log];
      return withDeps(settings, async (deps) => [
        ...crashed,
        ...(await brokenInvariants(deps, { ...evidence, logs })),
      ]);
    },
    end,
  };
}
