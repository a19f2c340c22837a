import path from 'node:path';
import type { Deps } from '#server/deps.ts';
import type { Row } from './goals.ts';
import type { Evidence } from './invariants.ts';
import { withDeps, type Person } from './people.ts';
import type { Portico } from './processes.ts';
import { type Drill, type Figure, unless } from './scenario.ts';
import { HOST, startSingle } from './single.ts';
import { startStage } from './stage.ts';
import type { Wire } from './wire.ts';

/** A setup of the portal; a scenario must have the same result at each. */
export interface Site {
  readonly kind: keyof typeof sites;
  /** The address for untrusted clients: the process, or the balancer in front of both. */
  readonly entry: Pick<Portico, 'url' | 'port'>;
  readonly portals: readonly Portico[];
  readonly people: readonly Person[];
  /** The connection of clients behind a trusted proxy. */
  readonly wire: Wire;
  /** Call this before killing a process, because a mail that was being sent is sent again. */
  excuseRepeats(): void;
  /** Checks all invariants after the last request; returns the breaches in words. */
  breaches(evidence?: Omit<Evidence, 'logs'>): Promise<string[]>;
  /** Prints the progress with the name of the place. */
  say(what: string): void;
  /** Reads the data after the invariants were checked. */
  look<T>(use: (deps: Deps) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

interface Options {
  readonly environment?: (kind: Site['kind']) => Readonly<Record<string, string>>;
  /** Node's flags for the first process. */
  readonly flags?: string[] | undefined;
  /** The places where the scenario makes sense; all by default. */
  readonly where?: readonly Site['kind'][];
  /** The balancer's limit of sockets per network. */
  readonly sockets?: number | undefined;
  /** Whether it needs so little that all places run at once, to save time. */
  readonly atOnce?: boolean;
}

const nothing = () => ({});

async function embedded(
  drill: Drill,
  name: string,
  { environment = nothing, flags }: Options,
): Promise<Omit<Site, 'say'>> {
  const { portal, ...single } = await startSingle(drill, name, environment('embedded'), { flags });
  return {
    ...single,
    kind: 'embedded',
    entry: portal,
    portals: [portal],
    // This place has no mail server that counts repeats.
    excuseRepeats: () => undefined,
    look: (use) => withDeps(portal.environment, use),
  };
}

async function balanced(drill: Drill, name: string, options: Options): Promise<Omit<Site, 'say'>> {
  const { environment = nothing, flags, sockets } = options;
  const folder = (part: string) => drill.folder(path.join(`${name}-balanced`, part));
  const stage = await startStage(
    { folder, say: drill.say },
    { environment: { PUBLIC_URL: `https://${HOST}`, ...environment('balanced') }, flags, sockets },
  );
  return {
    ...stage,
    kind: 'balanced',
    entry: { url: stage.url, port: Number(new URL(stage.url).port) },
    excuseRepeats: () => stage.mailbox.excuseRepeats(true),
    look: (use) => withDeps(stage.inspector, use),
    end: () => stage.stop(),
  };
}

const sites = { embedded, balanced };
const words = { embedded: 'one process', balanced: 'two' };

/** The result of one row of the report at one site. */
interface RowResult {
  readonly id: Row;
  readonly breaches: readonly string[];
  readonly summary: string;
  readonly reachesStretch?: boolean | undefined;
}

/**
 * Runs a scenario on one process with the embedded database and, if the programs are installed, on two
 * processes with PostgreSQL behind the balancer.
 */
export async function atEachSite(
  drill: Drill,
  name: string,
  run: (site: Site) => Promise<readonly RowResult[]>,
  options: Options = {},
): Promise<Figure[]> {
  const { where = ['embedded', 'balanced'], atOnce = false } = options;
  const possible = where.filter((kind) => kind === 'embedded' || drill.lacks.length === 0);
  if (possible.length < where.length) drill.leftOut(`two processes, without ${drill.lacks.join(', ')}`);
  if (possible.length === 0) throw new Error('there is no site to try it at');
  const tryAt = async (kind: Site['kind']) => {
    const say = (what: string) => drill.say(`${words[kind]}: ${what}`);
    const site = { ...(await sites[kind](drill, name, options)), say };
    try {
      return (await run(site)).map((result) => ({ ...result, kind }));
    } finally {
      await site.end();
    }
  };
  const results: (RowResult & Pick<Site, 'kind'>)[] = [];
  for (const kinds of atOnce ? [possible] : possible.map((kind) => [kind]))
    for (const outcome of await Promise.allSettled(kinds.map(tryAt))) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(...outcome.value);
    }
  return [...Map.groupBy(results, ({ id }) => id)].map(([id, parts]) => figureOf(drill, id, parts));
}

function figureOf(drill: Drill, id: Row, parts: readonly (RowResult & Pick<Site, 'kind'>)[]): Figure {
  const breaches = parts.flatMap(({ kind, breaches }) => breaches.map((what) => `${words[kind]}: ${what}`));
  const [first, ...others] = parts.map(({ summary }) => summary);
  const isSame = first !== undefined && others.every((one) => one === first);
  const summary = isSame ? first : parts.map((part) => `${words[part.kind]}: ${part.summary}`).join('; ');
  const isKnown = parts.every(({ reachesStretch }) => reachesStretch !== undefined);
  const reachesStretch = isKnown ? parts.every(({ reachesStretch }) => reachesStretch) : undefined;
  return drill.figure({ id, ...unless(breaches, summary), reachesStretch });
}
