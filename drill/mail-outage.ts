import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CHALLENGE_MINUTES } from '#contract/limits.ts';
import { freePort } from '#server/testing/ports.ts';
import { type Smtp, startSmtp } from '#server/testing/smtp.ts';
import { measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { signInCall } from './load.ts';
import type { Person } from './people.ts';
import { atEachSite, type Site } from './site.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, atLeast } from './scenario.ts';
import { callFor, newWrite } from './writes.ts';

const ANSWER_MS = 500;
const DAY_SECONDS = 86_400;
const BACK_WITHIN_MS = 120_000;

/**
 * A bound for the delivery attempts: the first come seconds apart, later ones a minute, each with one batch
 * of mails per process.
 */
const triesMax = ({ portals }: Site, seconds: number) => portals.length * 8 * (8 + seconds / 60);

/** Accepts connections and never answers; at the end it returns their number. */
async function silent(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      return sockets.size;
    },
  };
}

/** The failing mail server on a fixed port, and the deliveries of all its restarts. */
class FailingMailServer {
  readonly port: number;
  #smtp: Smtp | undefined;
  readonly #earlier: Smtp['deliveries'] = [];
  constructor(port: number) {
    this.port = port;
  }

  async start(refusing: Smtp['refusing'] = {}) {
    this.#smtp ??= await startSmtp(this.port);
    const { refusing: now } = this.#smtp;
    for (const key of Object.keys(now) as (keyof typeof now)[]) delete now[key];
    Object.assign(now, refusing);
  }

  async stop() {
    this.#earlier.push(...(this.#smtp?.deliveries ?? []));
    await this.#smtp?.close();
    this.#smtp = undefined;
  }

  to(email: string) {
    return [...this.#earlier, ...(this.#smtp?.deliveries ?? [])].filter(({ recipients }) =>
      recipients.includes(email),
    );
  }

  /** The message ids of the mails to an address, for the ledger. */
  readonly ids = (email: string): ReadonlySet<string> =>
    new Set(this.to(email).map(({ mail }) => mail.messageId ?? ''));
}

/** Invites people while mail is broken, and records the time of each answer. */
class Inviting {
  readonly breaches: string[] = [];
  readonly guests: string[] = [];
  slowestMs = 0;
  readonly #site: Site;
  readonly #ledger: Ledger;
  constructor(site: Site, ledger: Ledger) {
    this.#site = site;
    this.#ledger = ledger;
  }

  async invite(by: Person) {
    const write = newWrite('invitation', by);
    const reply = await this.#site.wire.ask(callFor(write));
    this.#ledger.record(write, reply);
    this.slowestMs = Math.max(this.slowestMs, reply.ms);
    if (reply.status !== 200) this.breaches.push(`an invitation was answered ${reply.status}`);
    if (write.kind === 'invitation') this.guests.push(write.email);
  }
}

const words = ['on', 'off'] as const;

const INVITING = 4;

async function runMailOutages(drill: Drill, site: Site, mailbox: FailingMailServer) {
  const { wire, people } = site;
  const ledger = new Ledger();
  const inviting = new Inviting(site, ledger);
  const breaches: string[] = [];
  const founders = people.filter(({ isFounder }) => isFounder).slice(0, INVITING);
  const [member, waiting] = people.filter(({ isFounder }) => !isFounder);
  if (!member || !waiting) throw new Error('there are no members');
  /** Each switch of two-step sign-in sends a mail. */
  const turns: string[] = [];
  const turn = async () => {
    const on = (turns.length + 1) % 2;
    const { cookie, from } = member;
    const { status } = await wire.ask({
      method: 'PUT',
      path: '/api/mfa',
      body: { mfa_enabled: on },
      cookie,
      from,
    });
    if (status !== 200) breaches.push(`the second step was answered ${status}`);
    turns.push(`Two-step sign-in is ${words[1 - on]}`);
  };
  let latestMs = 0;
  /** Sends invitations and notices during a fault; afterwards all mails have to arrive. */
  const phase = async (what: string, seconds: number, end: () => Promise<void>) => {
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      for (const founder of founders) await inviting.invite(founder);
      if (turns.length < 200) await turn();
      await pause(Math.min(1000 * Math.max(1, seconds / 60), 20_000));
    }
    await end();
    const ms = await until(
      `the mails of an outage: ${what}`,
      2 * BACK_WITHIN_MS,
      () =>
        inviting.guests.every((email) => mailbox.to(email).length > 0) &&
        mailbox.to(member.email).length >= turns.length,
    );
    latestMs = Math.max(latestMs, ms);
    site.say(`${what} for ${seconds.toFixed(0)} s: all mails ${(ms / 1000).toFixed(1)} s later`);
  };
  const outage = drill.seconds(30, 1800);
  // The code is mailed once mail works again, but not after it has expired.
  const codeMails = () => mailbox.to(waiting.email).filter(({ mail }) => mail.subject === 'Your code').length;
  await wire.ask({ method: 'PUT', path: '/api/mfa', body: { mfa_enabled: 1 }, ...waiting });
  const { status: signInStatus } = await wire.ask(signInCall(waiting));
  if (signInStatus !== 200) breaches.push(`a sign-in with a code was answered ${signInStatus}`);
  let tries = 0;
  const { leftovers } = await measureLeftovers(site.portals, async () => {
    await phase('refused', outage, () => mailbox.start());
    await mailbox.stop();
    const mute = await silent(mailbox.port);
    await phase('silent', outage / 2, async () => {
      tries = mute.close();
      await mailbox.start();
    });
    await mailbox.start({ recipient: { code: 451, text: 'try again later' } });
    await phase('put off with 451', 10, () => mailbox.start());
    await mailbox.start({ waitMs: 400 });
    await phase('slow', 10, () => mailbox.start());
    await mailbox.start({ recipient: { code: 550, text: 'no such box' } });
    const bouncing = newWrite('invitation', founders[0] ?? member);
    await wire.ask(callFor(bouncing));
    await pause(3000);
    await mailbox.start();
    await phase('working again after a bounce', 2, () => mailbox.start());
  });
  if (tries === 0 || tries > triesMax(site, outage / 2))
    breaches.push(`a silent server was tried ${tries} times`);

  const subjects = mailbox.to(member.email).map(({ mail }) => mail.subject ?? '');
  if (subjects.join() !== turns.join()) breaches.push('the mails to one person came in another order');
  const twice = inviting.guests.filter((email) => mailbox.to(email).length > 1);
  if (twice.length > 0) breaches.push(`${twice.length} mails came twice`);
  if (inviting.slowestMs > ANSWER_MS) breaches.push(`an answer took ${inviting.slowestMs.toFixed(0)} ms`);
  if (latestMs > BACK_WITHIN_MS)
    breaches.push(`mails came ${(latestMs / 1000).toFixed(0)} s after the return`);
  const givenUp = '8: a mail or job was given up (1,';
  const invariants = await site.breaches({ ledgers: [ledger], mailIdsOf: mailbox.ids });
  const failedJobs = await site.look(({ sql }) =>
    sql.selectFrom('jobs').select('last_error').where('failed_at', 'is not', null).execute(),
  );
  const undeliverable = failedJobs.filter(({ last_error: error }) => error !== 'out of date');
  const [came, ranOut] = [codeMails(), failedJobs.length - undeliverable.length];
  const isTooLate = outage > 60 * CHALLENGE_MINUTES;
  if (came !== Number(!isTooLate) || ranOut !== Number(isTooLate))
    breaches.push(`of the one code that was asked for ${came} came and ${ranOut} ran out`);
  if (undeliverable.length !== 1 || !undeliverable[0]?.last_error?.includes('550'))
    breaches.push(`a bounce is marked as ${JSON.stringify(undeliverable)}`);
  breaches.push(
    ...leftovers,
    ...inviting.breaches,
    ...invariants.filter((what) => !what.startsWith(givenUp)),
  );
  await mailbox.stop();
  const summary = `${inviting.guests.length + turns.length} mails, slowest answer ${inviting.slowestMs.toFixed(0)} ms, last mail ${(latestMs / 1000).toFixed(1)} s after the return`;
  return [
    { id: 'L7', breaches, summary },
    { id: 'R10', breaches, summary, reachesStretch: atLeast(outage, DAY_SECONDS) },
  ] as const;
}

export const mailOutage: Scenario = {
  ids: ['L7', 'R10'],
  name: 'A mail server that refuses, hangs, puts off, bounces, or takes its time',
  needs: 'places',
  run: async (drill) => {
    const ports = { embedded: await freePort(), balanced: await freePort() };
    const environment = (kind: Site['kind']) => ({
      SMTP_URL: `smtp://127.0.0.1:${ports[kind]}`,
      REAUTH_WINDOW_MINUTES: '0',
    });
    const run = (site: Site) => runMailOutages(drill, site, new FailingMailServer(ports[site.kind]));
    return atEachSite(drill, 'mail-outage', run, { environment, atOnce: true });
  },
};
