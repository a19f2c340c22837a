import path from 'node:path';
import type { Deps } from '#server/deps.ts';
import type { Row } from './goals.ts';
import type { Evidence } from './invariants.ts';
import { opened, type Person } from './people.ts';
import type { Portico } from './processes.ts';
import { type Drill, type Figure, unless } from './scenario.ts';
import { HOST, startSingle } from './single.ts';
import { startStage } from './stage.ts';
import type { Wire } from './wire.ts';

/** Where a scenario is tried that is to end alike wherever it is. */
export interface Place {
  readonly kind: keyof typeof places;
  /** Where strangers come in: the process, or the balancer before both. */
  readonly door: Pick<Portico, 'url' | 'port'>;
  readonly portals: readonly Portico[];
  readonly people: readonly Person[];
  /** The way of everybody who comes through a trusted proxy. */
  readonly wire: Wire;
  /** Whoever ends a process by force says so: a mail that was just leaving is sent again. */
  excuseRepeats(): void;
  /** Checks all invariants, once nobody asks for anything any more; what is broken, in words. */
  broken(evidence?: Omit<Evidence, 'logs'>): Promise<string[]>;
  /** Tells how it goes, and where. */
  say(what: string): void;
  /** Looks at the data, once the invariants were checked. */
  look<T>(use: (deps: Deps) => Promise<T>): Promise<T>;
  /** Ends everything. */
  end(): Promise<void>;
}

interface Options {
  readonly environment?: (kind: Place['kind']) => Readonly<Record<string, string>>;
  /** How the first process is started, as Node is told. */
  readonly flags?: string[] | undefined;
  /** Where it makes sense; everywhere, unless told. */
  readonly where?: readonly Place['kind'][];
  /** How many sockets the balancer lets a network have. */
  readonly sockets?: number | undefined;
  /** Whether it takes so little that all places are tried at once, to save the time. */
  readonly atOnce?: boolean;
}

const nothing = () => ({});

async function embedded(
  drill: Drill,
  name: string,
  { environment = nothing, flags }: Options,
): Promise<Omit<Place, 'say'>> {
  const { portal, ...single } = await startSingle(drill, name, environment('embedded'), { flags });
  return {
    ...single,
    kind: 'embedded',
    door: portal,
    portals: [portal],
    // Nobody counts its mails.
    excuseRepeats: () => undefined,
    look: (use) => opened(portal.environment, use),
  };
}

async function balanced(drill: Drill, name: string, options: Options): Promise<Omit<Place, 'say'>> {
  const { environment = nothing, flags, sockets } = options;
  const folder = (part: string) => drill.folder(path.join(`${name}-balanced`, part));
  const stage = await startStage(
    { folder, say: drill.say },
    { environment: { PUBLIC_URL: `https://${HOST}`, ...environment('balanced') }, flags, sockets },
  );
  return {
    ...stage,
    kind: 'balanced',
    door: { url: stage.url, port: Number(new URL(stage.url).port) },
    excuseRepeats: () => stage.mailbox.excuseRepeats(true),
    look: (use) => opened(stage.inspector, use),
    end: () => stage.stop(),
  };
}

const places = { embedded, balanced };
const words = { embedded: 'one process', balanced: 'two' };

/** What came of a row at one place. */
export interface Found {
  readonly id: Row;
  readonly broken: readonly string[];
  readonly measured: string;
  readonly stretched?: boolean | undefined;
}

/** Tries it on one process with the embedded database and, where its parts are here, on two behind the balancer with PostgreSQL. */
export async function atEachPlace(
  drill: Drill,
  name: string,
  run: (place: Place) => Promise<readonly Found[]>,
  options: Options = {},
): Promise<Figure[]> {
  const { where = ['embedded', 'balanced'], atOnce = false } = options;
  const possible = where.filter((kind) => kind === 'embedded' || drill.lacks.length === 0);
  if (possible.length < where.length) drill.leftOut(`two processes, without ${drill.lacks.join(', ')}`);
  if (possible.length === 0) throw new Error('there is no place to try it at');
  const tryAt = async (kind: Place['kind']) => {
    const say = (what: string) => drill.say(`${words[kind]}: ${what}`);
    const place = { ...(await places[kind](drill, name, options)), say };
    try {
      return (await run(place)).map((found) => ({ ...found, kind }));
    } finally {
      await place.end();
    }
  };
  const all: (Found & Pick<Place, 'kind'>)[] = [];
  for (const kinds of atOnce ? [possible] : possible.map((kind) => [kind]))
    for (const outcome of await Promise.allSettled(kinds.map(tryAt))) {
      if (outcome.status === 'rejected') throw outcome.reason;
      all.push(...outcome.value);
    }
  return [...Map.groupBy(all, ({ id }) => id)].map(([id, parts]) => figureOf(drill, id, parts));
}

function figureOf(drill: Drill, id: Row, parts: readonly (Found & Pick<Place, 'kind'>)[]): Figure {
  const broken = parts.flatMap(({ kind, broken }) => broken.map((what) => `${words[kind]}: ${what}`));
  const measured = parts.map((part) => `${words[part.kind]}: ${part.measured}`).join('; ');
  const isKnown = parts.every(({ stretched }) => stretched !== undefined);
  const stretched = isKnown ? parts.every(({ stretched }) => stretched) : undefined;
  return drill.figure({ id, ...unless(broken, measured), stretched });
}
