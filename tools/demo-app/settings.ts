import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Config } from '#server/config.ts';

/** Where the demonstration application runs after `npm run seed`. */
export const DEMO_APP_URL = 'http://localhost:4000';

/** The addresses that the application registers. */
export const addressesOf = (url: string) => ({
  callback: `${url}/callback`,
  signedOut: `${url}/`,
  logoutTokens: `${url}/logout-tokens`,
});

const settings = z.object({
  /** The origin of the portal, which has the discovery document. */
  portal: z.string(),
  url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});
export type DemoAppSettings = z.output<typeof settings>;

const fileIn = ({ dataDir }: Pick<Config, 'dataDir'>) => path.join(dataDir, 'demo-app.json');

/** Keeps the secret where only this user reads it. */
export const writeSettings = (config: Pick<Config, 'dataDir'>, value: DemoAppSettings) =>
  writeFileSync(fileIn(config), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });

/** Null if no seed has registered the application. */
export function readSettings(config: Pick<Config, 'dataDir'>): DemoAppSettings | null {
  const file = fileIn(config);
  return existsSync(file) ? settings.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
