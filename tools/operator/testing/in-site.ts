import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open.ts';

type Installation = Awaited<ReturnType<typeof openInstallation>>;
/** Opens the installation of a folder for as long as `use` runs. */
export async function inSiteAt<T>(
  dataDir: string,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }));
  try {
    return await use(installation);
  } finally {
    await installation.database.close();
  }
}
