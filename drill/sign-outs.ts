import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { Deps } from '#server/deps.ts';
import { addApplication } from '#server/operator/applications/actions.ts';
import { freePort } from '#server/testing/ports.ts';
import { listen } from '#server/testing/providers.ts';
import { seconds } from './crashes.ts';
import { signInCall } from './load.ts';
import { withDeps, type Person } from './people.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cookieFrom, type Wire, wireTo } from './wire.ts';

const WITHIN_MS = 1000;
const LIVE = 3;
/** The longest backoff, and time for the notices that waited behind the first one. */
const BACKLOG_MS = 150_000;
/** A lease of 10 s, and time for a restart. */
const RECOVERY_MS = 60_000;

/** The server of an application; it records when it first got the logout token of each session. */
async function startReceiver(port = 0) {
  const times = new Map<string, number>();
  let repeats = 0;
  const { url, close } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { sid } = decodeJwt<{ sid: string }>(new URLSearchParams(body).get('logout_token') ?? '');
    if (times.has(sid)) repeats += 1;
    else times.set(sid, performance.now());
    response.end();
  }, port);
  return { url, close, times, repeats: () => repeats };
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Registers an application whose server is at an address. */
export async function register(deps: Deps, url: string) {
  const callback = `${url}/callback`;
  const { clientId, secret } = await addApplication(
    deps,
    { name: 'drill' },
    {
      name: 'Drill',
      description: '',
      kind: 'web',
      isFirstParty: true,
      startUrl: '',
      redirectUrls: [callback],
      signedOutUrls: [],
      signOutUrl: `${url}/signed-out`,
      algorithm: 'ES256',
      publicKeys: null,
      apis: [],
      requiresPar: false,
      requiresDpop: false,
    },
  );
  return { clientId, secret: secret ?? '', callback };
}
type Application = Awaited<ReturnType<typeof register>>;

export const VERIFIER = 'v'.repeat(43);
const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
/** The path of a request for a code. */
export const authorization = ({ clientId, callback }: Application) =>
  `/oidc/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()}`;

/** Signs a person in and enters every application; returns the session's cookie, and its sid for each of them. */
async function enterAll(wire: Wire, deps: Deps, person: Person, applications: readonly Application[]) {
  const cookie = `portico=${cookieFrom(await wire.ask(signInCall(person)), 'portico')}`;
  for (const application of applications) {
    const { status } = await wire.ask({ method: 'GET', path: authorization(application), cookie });
    if (status !== 303) throw new Error(`entering an application was ${status}`);
  }
  const rows = await deps.sql
    .selectFrom('application_sign_ins')
    .innerJoin('applications', 'applications.id', 'application_sign_ins.application_id')
    .select(['applications.client_id', 'application_sign_ins.sid'])
    .where('application_sign_ins.user_id', '=', person.id)
    .execute();
  const sidOf = new Map(rows.map((row) => [row.client_id, row.sid]));
  const sids = applications.map(({ clientId }) => sidOf.get(clientId) ?? '');
  if (sids.includes('')) throw new Error('a sign-in was not noted');
  return { cookie, sids };
}

async function signOut(wire: Wire, cookie: string) {
  const { status } = await wire.ask({ method: 'DELETE', path: '/api/logout', cookie });
  if (status !== 200) throw new Error(`a sign-out was ${status}`);
}

export const wiresTo = ({ portals, environment }: Stage) => {
  const host = new URL(environment['PUBLIC_URL'] ?? '').host;
  return portals.map(({ url }) => wireTo(url, { host }));
};
export const turn = <T>(items: readonly T[], round: number): T => {
  const item = items[round % items.length];
  if (item === undefined) throw new Error('there is none');
  return item;
};

const reach: Scenario = {
  ids: ['R20'],
  name: 'Sign-outs reach three applications while one is down and one does not answer',
  needs: 'cluster',
  run: (drill) => withDeps(drill.stage.inspector, (deps) => measureReach(drill, deps)),
};

async function measureReach(drill: Drill, deps: Deps) {
  const { stage } = drill;
  const rounds = drill.rounds(50, 200);
  const ports = { down: await freePort(), silent: await freePort() };
  const live = await Promise.all(Array.from({ length: LIVE }, () => startReceiver()));
  const silent = await listen(() => undefined, ports.silent);
  const urls = [
    ...live.map(({ url }) => url),
    ...Object.values(ports).map((port) => `http://127.0.0.1:${port}`),
  ];
  const applications: Application[] = [];
  for (const url of urls) applications.push(await register(deps, url));
  const wires = wiresTo(stage);
  const delays: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const wire = turn(wires, round);
    const { cookie, sids } = await enterAll(wire, deps, turn(stage.spares, round), applications);
    const began = performance.now();
    await signOut(wire, cookie);
    const arrived = () => live.every(({ times }, at) => times.has(sids[at] ?? ''));
    await until('the notices of a sign-out', 10 * WITHIN_MS, arrived, 5);
    delays.push(...live.map(({ times }, at) => (times.get(sids[at] ?? '') ?? Number.NaN) - began));
  }
  await silent.close();
  const back = await Promise.all(Object.values(ports).map((port) => startReceiver(port)));
  const hasAll = () => back.every(({ times }) => times.size >= rounds);
  const backlogMs = await until('the notices that waited', BACKLOG_MS, hasAll);
  const sorted = delays.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  const all: Receiver[] = [...live, ...back];
  const repeats = all.reduce((sum, receiver) => sum + receiver.repeats(), 0);
  const breaches = [
    ...(p99 <= WITHIN_MS ? [] : [`p99 was ${seconds(p99)}`]),
    ...(repeats > 0 ? [`${repeats} notices came twice`] : []),
    ...(await stage.breaches()),
  ];
  await Promise.all(all.map(({ close }) => close()));
  wires.forEach((wire) => wire.close());
  const summary = `${rounds} sign-outs: p50 ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms, p99 ${Math.round(p99)} ms, slowest ${Math.round(sorted.at(-1) ?? 0)} ms; the other two got all within ${seconds(backlogMs)} of their return`;
  return [drill.figure({ id: 'R20', ...unless(breaches, summary) })];
}

const AT_ONCE = 10;
/** Some kills come before the first claim, some amid the deliveries. */
const KILL_WITHIN_MS = 250;

const killed: Scenario = {
  ids: ['L15'],
  name: 'kill -9 between sign-out and delivery',
  needs: 'cluster',
  run: (drill) => withDeps(drill.stage.inspector, (deps) => measureKills(drill, deps)),
};

async function measureKills(drill: Drill, deps: Deps) {
  const { stage } = drill;
  const rounds = drill.rounds(4, 20);
  stage.mailbox.excuseRepeats(true);
  const receivers = await Promise.all(Array.from({ length: LIVE }, () => startReceiver()));
  const applications: Application[] = [];
  for (const { url } of receivers) applications.push(await register(deps, url));
  const wires = wiresTo(stage);
  const breaches: string[] = [];
  let atKill = 0;
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const wire = turn(wires, round);
    const people = Array.from({ length: AT_ONCE }, (_, at) => turn(stage.spares, round * AT_ONCE + at));
    const sessions: Awaited<ReturnType<typeof enterAll>>[] = [];
    for (const person of people) sessions.push(await enterAll(wire, deps, person, applications));
    await Promise.all(sessions.map(({ cookie }) => signOut(wire, cookie)));
    await pause(Math.random() * KILL_WITHIN_MS);
    // Every second round kills all portals, so that none is left to deliver.
    const victims = round % 2 === 0 ? [turn(stage.portals, round)] : stage.portals;
    await Promise.all(victims.map((portal) => portal.program().end('SIGKILL')));
    const missing = () =>
      sessions.flatMap(({ sids }) => receivers.filter(({ times }, at) => !times.has(sids[at] ?? ''))).length;
    atKill += missing();
    const from = performance.now();
    for (const portal of victims) portal.launch();
    for (const portal of victims) await portal.ready();
    await until('the notices of killed processes', RECOVERY_MS, () => missing() === 0).catch(() =>
      breaches.push(`round ${round}: ${missing()} notices were lost`),
    );
    slowestMs = Math.max(slowestMs, performance.now() - from);
  }
  const repeats = receivers.reduce((sum, receiver) => sum + receiver.repeats(), 0);
  if (atKill === 0) breaches.push('every notice had come before its kill');
  breaches.push(...(await stage.breaches()));
  await Promise.all(receivers.map(({ close }) => close()));
  wires.forEach((wire) => wire.close());
  const total = rounds * AT_ONCE * LIVE;
  const summary = `${rounds} kills, ${total} notices, ${atKill} of them not delivered at the kill: all came, ${repeats} twice, the last ${seconds(slowestMs)} after its kill`;
  return [drill.figure({ id: 'L15', ...unless(breaches, summary) })];
}

export const signOutScenarios: readonly Scenario[] = [reach, killed];
