import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { openInstallation } from '#server/open.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { operate } from '../command.ts';

/**
 * A new installation without people, for tests of commands. On PostgreSQL if the tests have one, because each
 * command opens the database.
 */
export class FreshInstallation {
  readonly #folder: string;
  readonly #environment: Record<string, string>;

  private constructor(more: Record<string, string>) {
    this.#folder = more['DATA_DIR'] ?? mkdtempSync(path.join(tmpdir(), 'portico-operator-'));
    this.#environment = { DATA_DIR: this.#folder, ...more };
  }

  /** The same installation under changed settings. */
  under(more: Record<string, string>) {
    return new FreshInstallation({ ...this.#environment, ...more });
  }

  static async make(more: Record<string, string> = {}) {
    const hasPostgres = process.env['TEST_POSTGRES_URL'] !== undefined;
    const installation = new FreshInstallation(
      hasPostgres ? { ...more, DATABASE_URL: await createPostgresDatabase() } : more,
    );
    await installation.withDeps(async () => undefined);
    return installation;
  }

  async withDeps<T>(use: (deps: Deps) => Promise<T>): Promise<T> {
    const config = readConfig(this.#environment);
    const { deps, database } = await openInstallation(config, pino({ level: 'silent' }));
    try {
      return await use(deps);
    } finally {
      await database.close();
    }
  }

  /** Opens the database as it is, without bringing it forward. */
  async withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(readConfig(this.#environment));
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  run(...args: string[]) {
    return operate(args, this.#environment);
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
