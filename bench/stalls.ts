import type { OrgId } from '#contract/wire.ts';
import { CROWD_TOKEN, directoryCrowd } from '#server/testing/directory-crowd.ts';
import { newDataDir } from '#server/testing/portal.ts';
import { freePort } from '#server/testing/ports.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';
import { startPostgres } from '#tools/postgres.ts';
import { inspect } from './inspector.ts';
import { goalsMissed, markOf, median, table } from './measure.ts';
import { settings, startOn } from './portico.ts';
import { PASSWORD } from './sides.ts';

// How long one organization's directory holds up everybody else: `npm run bench -- stalls`, or `… stalls PGlite`. A stall is
// the CPU time of the server's main thread within one turn of its event loop. A busy machine stretches the row "nothing", too.

const STALL_MS = { atMost: 50 };
const PEOPLE = 6000;
const GROUPS = 59;
const GROUP_SIZE = 1500;
const MEMBERS = 1000;
const DEACTIVATED = 10;
const ROUNDS = 5;
/** Long enough for many members to get their role. */
const FOLLOWING_MS = 2000;

/** Runs in the server, in each turn of its event loop. */
const WATCH = `{
  const cpuMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 };
  globalThis.stall = 0;
  let before = cpuMs();
  const turn = () => {
    const now = cpuMs();
    stall = Math.max(stall, now - before);
    before = now;
    setImmediate(turn);
  };
  turn();
}`;

const [wanted] = process.argv.slice(2);
const postgres = await startPostgres();
const engines = { PGlite: '', ...(postgres && { PostgreSQL: postgres.url }) };
const rows: string[][] = [];
try {
  for (const [engine, url] of Object.entries(engines))
    if (wanted === undefined || wanted === engine) rows.push(...(await measure(engine, url)));
} finally {
  await postgres?.stop();
}
console.log(table(['Work', 'Database', 'whole, ms', 'stall, ms: least', 'median', 'most'], rows));
process.exitCode = goalsMissed() > 0 ? 1 : 0;

async function measure(engine: string, databaseUrl: string): Promise<string[][]> {
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const environment = {
    ...settings,
    NODE_ENV: 'development',
    RATE_LIMIT_FACTOR: '1000',
    DATABASE_URL: databaseUrl,
    DATA_DIR: newDataDir(),
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
  };
  const { boss, orgId } = await found(environment);
  const size = { people: PEOPLE, groups: GROUPS, groupSize: GROUP_SIZE };
  const roleId = await directoryCrowd(environment, orgId, size);
  const NODE_OPTIONS = `${settings.NODE_OPTIONS} --inspect=127.0.0.1:${inspectorPort}`;
  const portal = await startOn(databaseUrl, { ...environment, NODE_OPTIONS });
  const inspector = await inspect(inspectorPort);
  const evaluate = async (expression: string) => {
    const answer = await inspector.ask('Runtime.evaluate', { expression });
    return (answer as { result: { value: number } }).result.value;
  };

  const scim = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${portal.url}/api/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${CROWD_TOKEN}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
  type Listed = { readonly Resources: readonly { readonly id: string }[] };
  const listIds = async (path: string) =>
    (JSON.parse(await scim('GET', path)) as Listed).Resources.map(({ id }) => id);
  const people: string[] = [];
  while (people.length < MEMBERS)
    people.push(...(await listIds(`/Users?count=200&startIndex=${people.length + 1}`)));
  const members = people.map((value) => ({ value }));
  const [everyone] = await listIds('/Groups?count=1&excludedAttributes=members');
  const add = async (displayName: string) =>
    (JSON.parse(await scim('POST', '/Groups', { displayName })) as { id: string }).id;
  const patch = (path: string, op: object) => scim('PATCH', path, { Operations: [op] });
  const put = (id: string, some: object[]) =>
    scim('PUT', `/Groups/${id}`, { displayName: 'thousand', members: some });
  const setRole = async (id: string, role: number | null) =>
    responseOf(await boss.put('/api/orgs/directory', { org_id: orgId, group_id: id, role_id: role }));
  const follow = () => new Promise((done) => setTimeout(done, FOLLOWING_MS));

  const group = await add('thousand');
  const works: Record<string, (round: number) => Promise<unknown>> = {
    nothing: follow,
    [`GET /Groups of ${GROUP_SIZE}, whole page`]: () => scim('GET', '/Groups?count=200&startIndex=2'),
    [`GET /Groups/… of ${PEOPLE}`]: () => scim('GET', `/Groups/${everyone}`),
    'GET /Groups without members': () => scim('GET', '/Groups?count=200&excludedAttributes=members'),
    'GET /Users, whole page': () => scim('GET', '/Users?count=200'),
    'GET /Users, last page': () => scim('GET', `/Users?count=200&startIndex=${PEOPLE - 200}`),
    'GET /Users with groups': () => scim('GET', '/Users?count=200&attributes=groups'),
    'GET /Users by title': () => scim('GET', `/Users?count=200&filter=title%20eq%20%22clerk%22`),
    [`PATCH adds ${MEMBERS}`]: () =>
      patch(`/Groups/${group}`, { op: 'add', path: 'members', value: members }),
    [`PUT with the same ${MEMBERS}`]: () => put(group, members),
    'PUT with none': () => put(group, []),
    [`PUT with ${MEMBERS}`]: () => put(group, members),
    'a role by the page': () => setRole(group, roleId),
    'members follow by the job': follow,
    'PUT takes the role from all': () => put(group, []),
    'they follow': follow,
    'PUT gives it back': () => put(group, members),
    'no role by the page': () => setRole(group, null),
    'they follow, too': follow,
    'PUT empties it': () => put(group, []),
    [`${DEACTIVATED} are deactivated`]: async (round) => {
      for (const id of people.slice(round * DEACTIVATED, (round + 1) * DEACTIVATED))
        await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    },
    'DELETE of a group': async () => {
      const other = await add('other');
      await patch(`/Groups/${other}`, { op: 'add', path: 'members', value: members });
      await scim('DELETE', `/Groups/${other}`);
    },
    'the page of the directory': () => boss.get(`/api/orgs/directory?org_id=${orgId}`),
  };

  const results = new Map(Object.keys(works).map((name) => [name, [] as { ms: number; stall: number }[]]));
  await evaluate(WATCH);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, work] of Object.entries(works)) {
      await evaluate('stall = 0');
      const start = performance.now();
      await work(round);
      const ms = performance.now() - start;
      const stall = await evaluate('stall');
      // The first round compiles.
      if (round > 0) results.get(name)?.push({ ms, stall });
    }
  inspector.close();
  portal.kill('SIGTERM');
  await portal.ended;
  return [...results].map(([name, rounds]) => {
    const stalls = rounds.map(({ stall }) => stall);
    const mark = markOf(`${name}, ${engine}`, median(stalls), STALL_MS);
    const whole = median(rounds.map(({ ms }) => ms));
    const [least, most] = [Math.min(...stalls), Math.max(...stalls)];
    return [name, engine, inMs(whole), inMs(least), `${inMs(median(stalls))}${mark}`, inMs(most)];
  });
}

function inMs(value: number): string {
  return value.toFixed(0);
}

/** A Super Admin with an organization. The portal is stopped again. */
async function found(environment: Record<string, string>) {
  const portal = await startOn(environment['DATABASE_URL'] ?? '', environment);
  const boss = new Visitor(portal.url);
  const person = { emailId: 'boss@fabrikam.example', password: PASSWORD, timezone: '' };
  responseOf(await boss.post('/api/signup', person));
  const organization = await boss.post('/api/orgs', {
    first_name: 'Maya',
    last_name: 'Lindqvist',
    country_name: 'Sweden',
    organaization_name: 'Northwind Traders',
  });
  portal.kill('SIGTERM');
  await portal.ended;
  return { boss, orgId: responseOf<{ Id: OrgId }>(organization).Id };
}
