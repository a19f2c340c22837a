// Sends hostile requests to every call and checks that the portal answers by its contract and keeps its data whole.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { codeOf, errors } from '#contract/errors.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { refusalsOfEvery } from '#server/http/openapi.ts';
import { type FuzzedCall, type FuzzKind, type Plan, plansOf } from './fuzz-inputs.ts';
import { brokenInvariants } from './invariants.ts';
import { buildWorld, inputOf, type World } from './matrix-world.ts';
import { rows } from './matrix.ts';
import type { TestApp } from './start-app.ts';

/** After this many requests the invariants are checked, and a new world is built. */
const REQUESTS_PER_WORLD = 200;
const HANGS_AFTER_MS = 15_000;

type Finding = {
  readonly seed: number;
  readonly call: string;
  readonly what: string;
  readonly sent: string;
};
type Fuzzed = {
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** The count of each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The answer that blocked the event loop longest, and for how long. */
  readonly longest: { readonly lagMs: number; readonly call: string };
};

type Judged = { readonly status?: number; readonly what?: string | undefined };
type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Sends hostile requests one by one and judges every answer; the same seed sends the same requests. Each
 * world has its own seed, the first one the given seed, so that a finding can be repeated alone.
 */
export async function fuzz(
  app: TestApp,
  {
    count,
    seed,
    kind = 'any',
    progress,
  }: { count: number; seed: number; kind?: FuzzKind; progress?: (done: number) => void },
): Promise<Fuzzed> {
  const agent = new Agent({ keepAlive: true });
  const findings: Finding[] = [];
  const statuses: Record<number, number> = {};
  let longest = { lagMs: 0, call: 'none' };
  for (let doneCount = 0, worldSeed = seed; doneCount < count; worldSeed += 1) {
    const world = await buildWorld(app);
    const valid = validInputs(world);
    const size = Math.min(REQUESTS_PER_WORLD, count - doneCount);
    for (const plan of fc.sample(plansOf[kind], { numRuns: size, seed: worldSeed })) {
      const wire = await wireOf(plan, world, await valid(plan.call));
      const watch = watchLoop();
      const { status, what } = await judge(app, agent, plan, wire).catch((error: Error): Judged => ({
        what: error.message,
      }));
      const lagMs = watch();
      if (lagMs > longest.lagMs) longest = { lagMs, call: planName(plan) };
      if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1;
      if (what !== undefined)
        findings.push({ seed: worldSeed, call: planName(plan), what, sent: requestWords(plan, wire) });
    }
    await app.mails();
    const broken = await brokenInvariants(app, world.orgId);
    findings.push(...broken.map((what) => ({ seed: worldSeed, call: 'the world', what, sent: '' })));
    app.logLines.length = 0;
    app.clock.forward(MINUTE_MS);
    doneCount += size;
    progress?.(doneCount);
  }
  agent.destroy();
  return { requests: count, findings, statuses, longest };
}

const TICK_MS = 5;
/**
 * Watches the event loop until the returned function is called, which returns the longest block. It measures
 * CPU time of the thread, so that a busy machine does not look like a busy loop.
 */
function watchLoop(): () => number {
  let longest = 0;
  let before = threadCpuMs();
  const measure = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - before);
    before = now;
    return longest;
  };
  const timer = setInterval(measure, TICK_MS);
  return () => (clearInterval(timer), measure());
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const planName = ({ call, actor }: Plan) => `${call.feature}.${call.name} by ${actor}`;
const requestWords = ({ framing }: Plan, { method, path, body }: Request) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(body?.toString('latin1').slice(0, 400) ?? '')} ${framing.as}`;

async function judge(app: TestApp, agent: Agent, { call }: Plan, request: Request): Promise<Judged> {
  const answer = await exchange(app, agent, request);
  return { status: answer.status, what: wrongWith(call.endpoint, answer) };
}

/** The valid input of each call, created once per world. A link or code in it may be used up when it is sent again. */
function validInputs(world: World) {
  const inputs = new Map<FuzzedCall, object>();
  return async (call: FuzzedCall): Promise<object> => {
    const row = rows[call.feature]?.[call.name];
    const input = inputs.get(call) ?? (row && (await inputOf(call.endpoint, row, world))) ?? {};
    inputs.set(call, input);
    return input;
  };
}

async function wireOf(
  { call, actor, framing, ...plan }: Plan,
  world: World,
  valid: object,
): Promise<Request> {
  const { endpoint } = call;
  const fields: Record<string, unknown> = { ...valid, ...plan.set, ...plan.extra };
  for (const key of plan.drop) delete fields[key];
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => {
    const value = inWords(fields[key]);
    delete fields[key];
    return encodeURIComponent(value) || '-';
  });
  const cookies = [...world.visitors[actor].cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const wire = { method: endpoint.method, path, body: undefined };
  const headers: Record<string, string> = cookies ? { cookie: cookies } : {};
  const typed = (type: string, body: Buffer) => ({
    ...wire,
    headers: { ...headers, 'content-type': type },
    body,
  });

  if (endpoint.method === 'GET') {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(fields)) query.append(key, inWords(value));
    const [[first] = []] = [...query];
    if (framing.as === 'twice' && first !== undefined) query.append(first, inWords(framing.value));
    const tail = framing.as === 'usual' ? (framing.tail ?? '') : '';
    return { ...wire, path: `${path}?${query.toString()}${tail}`, headers };
  }
  if (endpoint.body === 'form') {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields))
      form.append(key.toWellFormed(), value instanceof File ? value : inWords(value));
    if (framing.as === 'twice') form.append('file', inWords(framing.value));
    const encoded = new Response(form);
    return typed(encoded.headers.get('content-type') ?? '', Buffer.from(await encoded.arrayBuffer()));
  }
  const json = JSON.stringify(fields);
  const [first = 'x'] = Object.keys(fields);
  const again = framing.as === 'twice' && `{${JSON.stringify(first)}:${JSON.stringify(framing.value)},`;
  return typed('application/json', Buffer.from(again ? json.replace('{', again).replace(',}', '}') : json));
}

const inWords = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

const exchange = ({ url }: TestApp, agent: Agent, { method, path, headers, body }: Request) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body && { 'content-length': String(body.length) };
    const all = { ...headers, ...length };
    const outgoing = request({ hostname, port, agent, method, path, headers: all }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    outgoing.setTimeout(HANGS_AFTER_MS, () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** Describes how an answer violates the contract of its call; undefined if it is valid. */
export function wrongWith(endpoint: Endpoint, { status, headers, body }: Answer): string | undefined {
  const { answers } = endpoint;
  if (!headers['x-request-id'] || !headers['cache-control']) return `${status} without its headers`;
  if (answers === 'nothing' && status === 204) return body.length > 0 ? '204 with a body' : undefined;
  if (answers === 'image' && status === 200)
    return headers['content-type']?.startsWith('image/') ? undefined : 'an image that is none';
  if (answers === 'file' && status === 200)
    return headers['content-disposition']?.startsWith('attachment;') ? undefined : 'a file that is none';
  const text = body.toString();
  const answer = result(text);
  if (answer === undefined) return `${status} without an envelope: ${text.slice(0, 200)}`;
  if (status === 200 && answer.success) return wrongOutput(endpoint, answer.response);
  const code = answer.error?.code ?? '';
  const declared = [...endpoint.failures, ...refusalsOfEvery(endpoint)].filter(
    (name) => name !== 'internal_error' && name !== 'unavailable',
  );
  // An oversized head never becomes a request, so no call declares its refusal.
  const isCut = status === 431 && code === 'malformed_request';
  const fits = isCut || declared.some((name) => codeOf(name) === code && errors[name].status === status);
  return fits ? undefined : `${status} ${code}, which the call does not declare: ${text.slice(0, 300)}`;
}

type Envelope = { success: boolean; response?: unknown; error?: { code: string } };
function result(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}

/** Describes how an answer differs from its output schema: missing or additional values. */
function wrongOutput({ output }: Endpoint, response: unknown): string | undefined {
  const parsed = z.safeDecode(output, response);
  if (!parsed.success) return `an answer that its schema does not take: ${z.prettifyError(parsed.error)}`;
  const again = JSON.parse(JSON.stringify(z.encode(output, parsed.data))) as unknown;
  return isDeepStrictEqual(again, response) ? undefined : 'an answer with more than its schema has';
}
