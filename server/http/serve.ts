// Answers every call in the same five steps, so that no handler can forget a check.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Download } from '#contract/activity/calls.ts';
import type { Image } from '#contract/drive/calls.ts';
import type { Endpoint, FailureOf, Input, Output } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { PERSON_HEADER } from '#contract/sessions/person-header.ts';
import { fieldText } from '#words/field.ts';
import { refusalText } from '#words/refusal.ts';
import { serverFieldText } from '#words/server-field.ts';
import type { InputSchema, OrgId } from '#contract/wire.ts';
import { clientAddress } from './client-address.ts';
import { type Cookies, cookiesOf } from './cookies.ts';
import { SessionEnded, type Tx } from '#server/db/connect.ts';
import { type Caller, enter, type Lookups, type OrgScope } from './gate.ts';
import { type Encode, encoderOf } from './encode.ts';
import { readForm } from './form-body.ts';
import { answerRefusal, noteCaller } from './refusal.ts';
import { type ClientOrigin, workFor } from '#server/origin.ts';
import { queueKeyOf, queueOf, turnOf, waitedMs } from './admission.ts';
import { inSameLanguage } from '#server/language.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

/** One call as its handler sees it: checked input, a proven caller and organization, and the client. */
type Call<E extends Endpoint> = {
  readonly input: Input<E>;
  readonly caller: E['access'] extends 'public' ? Caller | null : Caller;
  readonly scope: E['access'] extends 'admin' ? OrgScope : OrgScope | null;
  readonly origin: ClientOrigin;
  readonly cookies: Cookies;
};

export const originOf = (request: FastifyRequest): ClientOrigin => ({
  ipAddress: clientAddress(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 512),
});

/** The client of a sign-in, the session that it replaces, and the device cookie of its browser. */
export const browserOf = (call: { origin: ClientOrigin; cookies: Cookies; caller: Caller | null }) => ({
  client: { ...call.origin, replacedSession: call.caller?.sessionId },
  device: call.cookies.device.value,
  company: call.cookies.company.value,
});

type Shared<E extends Endpoint> =
  | 'invalid_input'
  | 'not_signed_in'
  | (E['access'] extends 'admin' ? 'not_allowed' : never);
type Answer<E extends Endpoint> = Output<E> | Refusal<FailureOf<E> | Shared<E>>;
type Asked<E extends Endpoint> = (call: Call<E>) => Promise<OrgId | undefined>;
type Handler<E extends Endpoint> = ((call: Call<E>) => Promise<Answer<E>>) & {
  readonly organizationOf?: Asked<E>;
};
/** A call that waits for the server of the organization that it asks for, and shares its turns. */
export const waitingFor = <E extends Endpoint>(
  organizationOf: Asked<E>,
  handler: (call: Call<E>) => Promise<Answer<E>>,
): Handler<E> => Object.assign((call: Call<E>) => handler(call), { organizationOf });
export type Handlers<F extends Record<string, Endpoint>> = { readonly [K in keyof F]: Handler<F[K]> };

type Found = Caller | Refusal | null;
type Mounted = {
  readonly endpoint: Endpoint;
  readonly handler: Handler<Endpoint>;
  readonly encode: Encode;
  readonly lookups: Lookups;
};

/** How long each request waited at the balancer, measured at its head: the time of its body does not count. */
const waits = new WeakMap<FastifyRequest, number>();

export function serve<F extends Record<string, Endpoint>>(
  app: FastifyInstance,
  endpoints: F,
  handlers: Handlers<F>,
  lookups: Lookups,
) {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[name] as unknown as Handler<Endpoint>;
    const encode = encoderOf(endpoint.output, endpoint.readBy);
    const call = { endpoint, handler, encode, lookups };
    const bound = queueOf(endpoint);
    const { admission } = app;
    // These wait twice: a form for its session, and then, still unread, for a slot of its person; a call that waits for a
    // foreign server for its checks, and then for a turn of the organization that has the server.
    const [isForm, isAway] = [bound === 'forms', bound === 'elsewhere'];
    const queue = admission[isForm || isAway ? 'readers' : bound];
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: endpoint.method === 'GET' && !endpoint.alsoWrites,
      config: { alsoWrites: endpoint.alsoWrites === true, bound },
      // Refuses before any of the body is read, because a refusal has to be cheap.
      onRequest: async (request, reply) => {
        waits.set(request, waitedMs(request));
        const refusal = queue.refusalFor(queueKeyOf(request, reply), waits.get(request));
        return refusal && answerRefusal(reply, refusal);
      },
      handler: async (request, reply) => {
        const find = () => findSession(call, request, reply);
        const goOn = async (caller: Found) => {
          if (caller instanceof Refusal) return caller;
          const work = async () => {
            const step = await lastStep(call, request, reply, caller);
            return step instanceof Refusal ? step : step.run();
          };
          return isForm ? admission.forms(work, uploaderOf(caller, request)) : work();
        };
        const inTurn = <T>(work: () => Promise<T>) =>
          queue(work, queueKeyOf(request, reply), waits.get(request));
        const checked = async () => {
          const caller = await find();
          return caller instanceof Refusal ? caller : lastStep(call, request, reply, caller);
        };
        const goAway = async () => {
          const step = await inTurn(checked);
          if (step instanceof Refusal) return step;
          const { run, orgId } = step;
          return admission.elsewhere(run, orgId ? turnOf(orgId, request) : queueKeyOf(request, reply));
        };
        const answer = await (isAway
          ? goAway()
          : isForm
            ? goOn(await inTurn(find))
            : inTurn(async () => goOn(await find())));
        if (answer instanceof Refusal) return answerRefusal(reply, answer);
        if (answer === undefined) return reply.code(204).send();
        if (endpoint.answers === 'image') return answerImage(reply, answer as Image);
        if (endpoint.answers === 'file') return answerDownload(reply, answer as Download);
        return reply.send({ success: true, response: answer });
      },
    });
  }
}

/** An image never changes under its URL. */
const answerImage = (reply: FastifyReply, { mediaType, bytes, isPublic, isForOtherSites }: Image) =>
  reply
    .headers(isForOtherSites ? { 'cross-origin-resource-policy': 'cross-origin' } : {})
    .header('cache-control', `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`)
    .type(mediaType)
    .send(Buffer.from(bytes));

/** Streams as fast as the client reads, and stops when the client disconnects. */
const answerDownload = (reply: FastifyReply, { mediaType, fileName, content }: Download) =>
  reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(content, { objectMode: false }));

/** The handler's step, once the checks have passed, and the organization whose server it waits for. */
type LastStep = { readonly run: () => Promise<unknown>; readonly orgId?: OrgId | undefined };
async function lastStep(
  { endpoint, handler, encode, lookups }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
): Promise<LastStep | Refusal> {
  const body = endpoint.body === 'form' ? await formOf(lookups, caller, request) : request.body;
  if (body instanceof Refusal) return body;
  const input = parseInput(endpoint, request, body);
  if (input instanceof Refusal) return input;
  noteCaller(request, { email: (input as { email?: unknown }).email });
  const scope = await proveScope(endpoint, lookups, caller, input);
  if (scope instanceof Refusal) return scope;
  const origin = originOf(request);
  const call = { input, caller, scope, origin, cookies: cookiesOf(request, reply) } as Call<Endpoint>;
  const isProven = caller !== null && (endpoint.access !== 'public' || endpoint.sessionProves === true);
  const work = {
    origin,
    ...(isProven && { session: { id: caller.sessionId, stands: (tx: Tx) => lookups.standsIn(tx, caller) } }),
  };
  const run = async () => {
    const output = await workFor(work, () => handler(call)).catch(endedMeanwhile);
    if (output instanceof Refusal) return output;
    return caller && endpoint.answers === 'file'
      ? whileAllowed(output as Download, { endpoint, lookups, caller, scope, input })
      : encode(output);
  };
  return { run, orgId: scope?.orgId ?? (await handler.organizationOf?.(call)) };
}

function endedMeanwhile(error: unknown) {
  if (error instanceof SessionEnded) return refuse('not_signed_in');
  throw error;
}

type Reading = Pick<Mounted, 'endpoint' | 'lookups'> &
  Record<'input', unknown> & { readonly caller: Caller; readonly scope: OrgScope | null };
/** Asks again before each part what the call asked, because a long answer may outlive it. The recent proof counts once. */
function whileAllowed(answer: Download, { endpoint, lookups, caller, scope, input }: Reading): Download {
  const content = inSameLanguage(answer.content);
  const isAllowed = async () => {
    const now = scope && (await enter(lookups, caller, scope.orgId));
    if (now instanceof Refusal || now?.rank !== scope?.rank) return false;
    return (await isAccountServed(endpoint, lookups, caller, input)) && lookups.standsNow(caller);
  };
  async function* parts() {
    for await (const part of content) {
      if (!(await isAllowed())) throw new SessionEnded();
      yield part;
    }
  }
  return { ...answer, content: parts() };
}

/** Anybody can open accounts, so people without a confirmed address share the slots of their network. */
const uploaderOf = (caller: Caller | null, request: FastifyRequest) =>
  caller?.confirmed ? String(caller.userId) : ipPrefix(clientAddress(request));

/** Finds the caller. A page that was drawn for another person is refused: it must not touch the caller's data. */
async function findSession(
  { endpoint, lookups }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Found> {
  const cookie = cookiesOf(request, reply).session;
  const person = request.headers[PERSON_HEADER];
  const find = (session: string) =>
    person === undefined ? lookups.findCaller(session) : lookups.findCallerNamed(session, String(person));
  const caller = cookie.value ? await find(cookie.value) : null;
  if (caller instanceof Refusal) return caller;
  const needsCaller = endpoint.access !== 'public' || Boolean(person);
  if (caller === null && needsCaller) {
    if (endpoint.endsSession && cookie.value !== undefined) cookie.clear();
    return refuse('not_signed_in');
  }
  noteCaller(request, { userId: caller?.userId });
  return caller;
}

/** Reads a form. Its upload counts against the caller's budget before it is read. */
const formOf = async (lookups: Lookups, caller: Caller | null, request: FastifyRequest) =>
  (caller && (await lookups.countUpload(caller.userId))) ?? readForm(request);

function parseInput(endpoint: Endpoint, request: FastifyRequest, body: unknown): unknown {
  // A beacon's body is never read.
  if (endpoint.answers === 'nothing') return {};
  const isGet = endpoint.method === 'GET';
  const source = isGet
    ? { ...(request.query as object), ...(request.params as object) }
    : body === undefined
      ? {}
      : body;
  if (typeof source !== 'object' || source === null || Array.isArray(source))
    return refuse('malformed_request');
  if (isGet && Object.values(source).some(Array.isArray))
    return refuse('malformed_request', { details: refusalText.repeatedParameter });
  const result = z.safeDecode(endpoint.input, source);
  return result.success ? result.data : refusedInput(endpoint.input as InputSchema, source, result.error);
}

function refusedInput(schema: InputSchema, source: unknown, error: z.core.$ZodError): Refusal {
  // Without a prototype, so that `constructor` is a key like any other.
  const fields = Object.create(null) as Record<string, string>;
  const values = source as Record<string, unknown> | null;
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '');
    if (schema.ours(name) === 'orgId' && values?.[name] !== undefined) return refuse('org_id_invalid');
    if (issue.code === 'unrecognized_keys' && name === '')
      // Bounded, so that the answer does not outgrow the request.
      for (const key of issue.keys.slice(0, 20)) fields[key] ??= serverFieldText.unknownField;
    else fields[name] ??= values?.[name] === undefined ? fieldText.required : wordsOf(issue);
  }
  return refuse('invalid_input', { fields });
}

/** A rule without a message is about the type of a value; our pages never send a wrong type. */
const wordsOf = ({ message }: z.core.$ZodIssue) =>
  message === 'Invalid input' ? fieldText.wrongType : message;

/** Whether the call acts for the whole account. An organization that it names excuses nothing, unless it acts there. */
const isOfAccount = ({ access, recentProof, beforeProof }: Endpoint, orgId: OrgId | undefined) =>
  (access === 'session' || (access === 'public' && recentProof)) &&
  (beforeProof === undefined || (beforeProof === 'named' && orgId === undefined));
const isAccountServed = async (endpoint: Endpoint, lookups: Lookups, caller: Caller, input: unknown) =>
  !isOfAccount(endpoint, (input as { orgId?: OrgId }).orgId) || lookups.servesAccount(caller);

/** Proves that the caller is a member of the named organization, or of their default one if the call uses it. */
async function proveScope(endpoint: Endpoint, lookups: Lookups, caller: Caller | null, input: unknown) {
  const { orgId } = input as { orgId?: OrgId };
  if (caller && !(await isAccountServed(endpoint, lookups, caller, input)))
    return refuse('account_proof_required');
  if (caller && endpoint.recentProof && !(await lookups.isRecent(caller)))
    return refuse('reauthentication_required');
  if (!caller || (orgId === undefined && !endpoint.inDefaultOrganization)) return null;
  const scope = await enter(lookups, caller, orgId);
  if (scope instanceof Refusal) return scope;
  // A public call may name an organization that the caller does not belong to.
  if (scope === null && orgId !== undefined && endpoint.access !== 'public') return refuse('org_not_found');
  return endpoint.access === 'admin' && scope?.rank === 'member' ? refuse('not_allowed') : scope;
}
