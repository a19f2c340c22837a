import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#server/config.ts';

/** Where the demonstration application runs after `npm run seed`. */
export const DEMO_APP_URL = 'http://localhost:4000';

type Settings = Readonly<Record<'url' | 'client_id' | 'client_secret', string>>;
const fileIn = ({ dataDir }: Pick<Config, 'dataDir'>) => path.join(dataDir, 'demo-app.json');

/** Keeps the secret where only this user reads it. */
export const writeSettings = (config: Pick<Config, 'dataDir'>, settings: Settings) =>
  writeFileSync(fileIn(config), JSON.stringify(settings), { mode: 0o600 });

/** Undefined if no seed has registered the application. */
export const readSettings = (config: Pick<Config, 'dataDir'>) =>
  existsSync(fileIn(config)) ? (JSON.parse(readFileSync(fileIn(config), 'utf8')) as Settings) : undefined;
