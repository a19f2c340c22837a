import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { actNamed, type ActName } from '#contract/operator/acts.ts';
import type { Config } from '#server/config.ts';
import { openInstallation, operatorMessage, readInstallation } from '#server/open.ts';
import { answerAct } from '#server/operator/acts/actions.ts';
import { Plain, told } from './plain.ts';
import type { Input, Told } from './site.ts';

const quiet = pino({ level: 'silent' });

/** Does an act in this process, which opens the installation. */
export async function askHere(config: Config, operator: string, name: ActName, input: Input): Promise<Told> {
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, 'database')))
    throw new Plain(
      `There is no installation in ${config.dataDir}. Start the portal once, or set DATA_DIR or DATABASE_URL.`,
    );
  const by = { name: operator, level: 'machine' } as const;
  if (actNamed(name).row) {
    const { deps, database } = await plainly(() => openInstallation(config, quiet));
    try {
      return await plainly(async () => told(await answerAct(deps, by, name, input)));
    } finally {
      await database.close();
    }
  }
  return plainly(async () => {
    const { result, note } = await readInstallation(config, quiet, (deps) =>
      answerAct(deps, by, name, input),
    );
    return { ...told(result), note };
  });
}

/** Turns a problem that the operator can solve into its sentence. */
export async function plainly<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const words = operatorMessage(error);
    throw words === undefined ? error : new Plain(words);
  }
}
