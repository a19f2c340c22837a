import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { addSuiteWebhook, removeSuiteWebhook } from '#server/operator/webhooks/actions.ts';
import { freePort } from '#server/testing/ports.ts';
import { type Receiver, startReceiver } from '#server/testing/webhooks.ts';
import { longest, seconds } from './crashes.ts';
import { holdingsOf } from './invariants.ts';
import { type Person, withDeps } from './people.ts';
import { type Portico, until } from './processes.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import { turn, wiresTo } from './sign-outs.ts';
import type { Stage } from './stage.ts';
import type { Wire } from './wire.ts';
import { callFor, newWrite } from './writes.ts';

const by = { name: 'drill' };
/** Adds webhooks of the suite for the time of `run`. */
async function withWebhooks<T>(deps: Deps, urls: readonly string[], run: () => Promise<T>): Promise<T> {
  for (const url of urls) await addSuiteWebhook(deps, by, url, ['member.changed']);
  try {
    return await run();
  } finally {
    for (const url of urls) await removeSuiteWebhook(deps, by, url);
  }
}

/** People whose sessions last. */
const writersOf = ({ people }: Stage) => people.filter(({ isVisitor }) => !isVisitor);

/** Changes the last name of a person, which is one event; returns the name. */
async function rename(wire: Wire, person: Person): Promise<string> {
  const write = newWrite('name', person);
  const { status } = await wire.ask(callFor(write));
  if (status !== 200 || write.kind !== 'name') throw new Error(`a change of a name was ${status}`);
  return write.name;
}

const lastNames = ({ data }: ReturnType<Receiver['events']>[number]) =>
  (data['changes'] as { last_name: [former: string, name: string] }).last_name;

/** Each event must begin with the name that the one before it ended with, and come once. */
function breachesAt({ heard, events }: Receiver): string[] {
  const nameOf = new Map<unknown, string>();
  let gaps = 0;
  for (const event of events()) {
    const [former, name] = lastNames(event);
    const known = nameOf.get(event.data['user_id']);
    if (known !== undefined && known !== former) gaps += 1;
    nameOf.set(event.data['user_id'], name);
  }
  const repeats = heard.length - new Set(heard.map(({ headers }) => headers['webhook-id'])).size;
  return [
    ...(gaps > 0 ? [`${gaps} events came in another order`] : []),
    ...(repeats > 0 ? [`${repeats} events came twice`] : []),
  ];
}

const LIVE = 4;
const WRITERS = 8;
const ALL_WITHIN_MS = 900_000;

/** The p99 of the delay of the event loop since the last call. */
async function loopDelayMs({ port }: Portico) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}

const flood: Scenario = {
  ids: ['R22'],
  name: 'Events reach four webhooks while a fifth is dead',
  needs: 'cluster',
  run: (drill) => withDeps(drill.stage.inspector, (deps) => measureFlood(drill, deps)),
};

async function measureFlood(drill: Drill, deps: Deps) {
  const { stage } = drill;
  const events = drill.rounds(1000, 10_000);
  const deadPort = await freePort();
  const live = await Promise.all(Array.from({ length: LIVE }, () => startReceiver()));
  const urls = [...live.map(({ url }) => url), `https://localhost:${deadPort}/hook`];
  const wires = wiresTo(stage);
  const writers = writersOf(stage);
  const summary = await withWebhooks(deps, urls, async () => {
    await Promise.all(stage.portals.map(loopDelayMs));
    const began = performance.now();
    let written = 0;
    const writeAs = async (nth: number) => {
      for (let at = nth; written < events; at += WRITERS) {
        written += 1;
        await rename(turn(wires, at), turn(writers, at));
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, nth) => writeAs(nth)));
    const writtenMs = performance.now() - began;
    const have = (all: readonly Receiver[]) => () => all.every(({ heard }) => heard.length >= events);
    await until('the events', ALL_WITHIN_MS, have(live));
    const deliveredMs = performance.now() - began;
    const loopMs = longest(await Promise.all(stage.portals.map(loopDelayMs)));
    const memory = (await Promise.all(stage.portals.map(holdingsOf))).map(
      ({ residentBytes }) => residentBytes,
    );
    const back = await startReceiver(deadPort);
    live.push(back);
    const backlogMs = await until('the events that waited', ALL_WITHIN_MS, have([back]));
    return (
      `${events} written in ${seconds(writtenMs)}, delivered in ${seconds(deliveredMs)} ` +
      `(${Math.round((LIVE * events * 1000) / deliveredMs)}/s), to the dead one ${seconds(backlogMs)} after its return; ` +
      `event loop p99 ${Math.round(loopMs)} ms, memory ${Math.round(longest(memory) / 2 ** 20)} MB`
    );
  });
  const breaches = [...live.flatMap(breachesAt), ...(await stage.breaches())];
  live.forEach((receiver) => receiver.close());
  wires.forEach((wire) => wire.close());
  return [drill.figure({ id: 'R22', ...unless(breaches, summary) })];
}

const AT_ONCE = 10;
const KILL_WITHIN_MS = 250;
/** A lease of 30 s, and time for a restart. */
const RECOVERY_MS = 90_000;

const killed: Scenario = {
  ids: ['L16'],
  name: 'kill -9 between a change and its delivery',
  needs: 'cluster',
  run: (drill) => withDeps(drill.stage.inspector, (deps) => measureKills(drill, deps)),
};

async function measureKills(drill: Drill, deps: Deps) {
  const { stage } = drill;
  const rounds = drill.rounds(4, 20);
  stage.mailbox.excuseRepeats(true);
  const receiver = await startReceiver();
  const wires = wiresTo(stage);
  const writers = writersOf(stage);
  const breaches: string[] = [];
  let atKill = 0;
  let slowestMs = 0;
  await withWebhooks(deps, [receiver.url], async () => {
    for (let round = 0; round < rounds; round += 1) {
      const people = Array.from({ length: AT_ONCE }, (_, at) => turn(writers, round * AT_ONCE + at));
      const names = await Promise.all(people.map((person) => rename(turn(wires, round), person)));
      await pause(Math.random() * KILL_WITHIN_MS);
      // Every other time nobody is left to deliver.
      const victims = round % 2 === 0 ? [turn(stage.portals, round)] : stage.portals;
      await Promise.all(victims.map((portal) => portal.program().end('SIGKILL')));
      const missing = () => {
        const heard = new Set(receiver.events().map((event) => lastNames(event)[1]));
        return names.filter((name) => !heard.has(name)).length;
      };
      atKill += missing();
      const from = performance.now();
      for (const portal of victims) portal.launch();
      for (const portal of victims) await portal.ready();
      await until('the events of killed processes', RECOVERY_MS, () => missing() === 0).catch(() =>
        breaches.push(`round ${round}: ${missing()} events were lost`),
      );
      slowestMs = Math.max(slowestMs, performance.now() - from);
    }
  });
  const repeats = receiver.heard.length - rounds * AT_ONCE;
  if (atKill === 0) breaches.push('every event had come before its kill');
  breaches.push(...(await stage.breaches()));
  receiver.close();
  wires.forEach((wire) => wire.close());
  const summary = `${rounds} kills, ${atKill} of ${rounds * AT_ONCE} events delivered afterwards, ${repeats} twice, the last after ${seconds(slowestMs)}`;
  return [drill.figure({ id: 'L16', ...unless(breaches, summary) })];
}

export const webhookScenarios: readonly Scenario[] = [flood, killed];
