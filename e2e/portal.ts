import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { mailedCode, mailedLink, mailedText } from '#server/testing/mailed.ts';
import { compiledFolder } from '#server/testing/portal.ts';
import { freePort } from '#server/testing/ports.ts';

const root = path.join(import.meta.dirname, '..');
const READY_WITHIN_MS = 60_000;

/** The portal in its own process, with its own port, data folder and database. Mails are files. */
export class Portal {
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'portico-e2e-'));
  readonly url: string;
  readonly #environment: Record<string, string>;
  readonly #house: string;
  #child: ChildProcess | undefined;
  /** Parsed mails by file name, because a run writes hundreds and they never change. */
  readonly #read = new Map<string, Email>();

  private constructor(port: number, environment: Record<string, string>, house: string) {
    this.#house = house;
    this.url = `http://localhost:${port}`;
    this.#environment = { PORT: String(port), DATA_DIR: this.dataDir, ...environment };
  }

  /**
   * On PostgreSQL if the tests have one, because it leaves the browser more CPU; `embedded` forces the
   * embedded database.
   */
  static async start(
    environment: Record<string, string> = {},
    embedded = false,
    house = root,
  ): Promise<Portal> {
    const onPostgres = process.env['TEST_ENGINE'] === 'postgres' && !embedded;
    const database = onPostgres ? { DATABASE_URL: await createPostgresDatabase() } : {};
    const port = Number(environment['PORT'] ?? (await freePort()));
    const portal = new Portal(port, { ...environment, ...database }, house);
    await portal.#launch();
    return portal;
  }

  async #launch(): Promise<void> {
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: this.#house,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiledFolder, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`the portal did not start: ${output}`)),
        READY_WITHIN_MS,
      );
      child.stderr.on('data', (text: Buffer) => (output += text.toString()));
      child.stdout.on('data', (text: Buffer) => {
        output += text.toString();
        if (!output.includes('is ready at')) return;
        clearTimeout(late);
        resolve();
      });
      child.once('exit', (code) => reject(new Error(`the portal ended with ${code}: ${output}`)));
    });
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Kills the process with SIGKILL and starts it again on the same data. */
  async killAndRestart(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#launch();
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** The mails to an address so far, oldest first. */
  async mails(address: string): Promise<Email[]> {
    const folder = path.join(this.dataDir, 'outbox');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .toSorted();
    for (const name of names)
      if (!this.#read.has(name))
        this.#read.set(name, await PostalMime.parse(readFileSync(path.join(folder, name))));
    const all = names.flatMap((name) => this.#read.get(name) ?? []);
    return all.filter((mail) => mail.to?.some((to) => to.address === address));
  }

  /** The text of the newest mail with this subject, once `count` of them have arrived. */
  mailed(address: string, subject: string, count?: number): Promise<string> {
    return mailedText(this, address, subject, count);
  }

  /** The one-time code of the `count`th mail that holds one. */
  mailedCode(address: string, count?: number): Promise<string> {
    return mailedCode(this, address, count);
  }

  /** The first link of the newest mail to an address, once `count` mails have arrived. */
  mailedLink(address: string, count?: number): Promise<string> {
    return mailedLink(this, address, count);
  }
}
