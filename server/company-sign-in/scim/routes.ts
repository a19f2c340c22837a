import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { companyDirectory } from '#contract/company-sign-in/directory.ts';
import { errors, Refusal, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import { type Answer, type Call, scimCalls } from './calls.ts';
import type { Directory } from './data.ts';
import { isObject } from './patches.ts';
import { ScimRefusal } from './refusals.ts';
import { errorOf } from './resources.ts';
import {
  addToken,
  findCallingDirectory,
  keepRefused,
  readDirectory,
  removeToken,
  SCIM_AT,
  setGroupRole,
} from './tokens.ts';
import type { Deps } from '#server/deps.ts';
import { waitedMs } from '#server/http/admission.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { readJsonBodies } from '#server/http/json-body.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { inEnglish } from '#server/language.ts';

export const directoryTokenRoutes = (deps: Deps): Handlers<typeof companyDirectory> => ({
  read: ({ scope, caller }) => readDirectory(deps, { ...caller, ...scope }),
  addToken: ({ input, scope, caller }) => addToken(deps, { ...caller, ...scope }, input),
  removeToken: ({ input, scope, caller }) => removeToken(deps, { ...caller, ...scope }, input),
  setRole: ({ input, scope, caller }) => setGroupRole(deps, { ...caller, ...scope }, input),
});

const BODY_MAX_KB = 512;
const BODY_MAX_VALUES = 10_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[];
/** Optional in RFC 7644, and not offered. */
const NOT_OFFERED = new Set(['/Me', '/Bulk', '/.search', '/Users/.search', '/Groups/.search']);

const KINDS = ['Users', 'Groups', 'Schemas', 'ResourceTypes', 'ServiceProviderConfig', 'Me', 'Bulk'];

/** The path of a call with `:id` for the id of a resource. A slash at the end and capitals of its kind mean nothing. */
function pathOf(url: string) {
  const [given, id, ...more] = decoded(url.split('?', 1)[0]?.slice(SCIM_AT.length) ?? '')
    .split('/')
    .filter((part) => part !== '');
  const kind = KINDS.find((one) => one.toLowerCase() === given?.toLowerCase()) ?? given;
  const path = [kind, id, ...more].filter((part) => part !== undefined).map((part) => `/${part}`);
  const isResource = id !== undefined && more.length === 0 && !NOT_OFFERED.has(path.join(''));
  return { path: isResource ? `/${kind}/:id` : path.join(''), id: id ?? '' };
}
function decoded(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

/** Mounts the SCIM endpoint (RFC 7644) that company directories call. */
export async function serveScim(app: FastifyInstance, deps: Deps) {
  const calls = scimCalls(deps, new URL(SCIM_AT, deps.config.publicUrl).href);

  /** The handler of a call; a refusal says what the endpoint does not have. */
  const handlerOf = (method: string, path: string) => {
    const handler = calls[`${method === 'HEAD' ? 'GET' : method} ${path}`];
    if (handler) return { handler };
    const known = METHODS.filter((one) => `${one} ${path}` in calls);
    if (known.length > 0)
      return { allow: known.join(', '), refusal: new ScimRefusal(405, `${path} takes ${known.join(', ')}.`) };
    if (NOT_OFFERED.has(path)) return { refusal: new ScimRefusal(501, `${path} is not offered.`) };
    return { refusal: new ScimRefusal(404, 'There is no such address.') };
  };

  const refuseFor = async (
    directory: Directory,
    { request, reply, call }: { request: FastifyRequest; reply: FastifyReply; call: string },
    refusal: Refusal,
  ) => {
    const { status, detail } = wordsOf(refusal);
    // A directory looks for people whom it has not added yet.
    const isLooking = status === 404 && refusal instanceof ScimRefusal && call in calls;
    if (!isLooking) await keepRefused(deps, directory, { call, status, reason: detail }, request.body);
    return refuse(reply, refusal);
  };

  const answer = async (directory: Directory, request: FastifyRequest, reply: FastifyReply) => {
    const full = await deps.limiter.take('scimMinute', String(directory.orgId));
    if (full) return refuse(reply, full);
    const { path, id } = pathOf(request.url);
    const at = { request, reply, call: `${request.method} ${path}`.slice(0, 200) };
    const { handler, refusal, allow } = handlerOf(request.method, path);
    if (allow !== undefined) void reply.header('allow', allow);
    if (!handler) return refuseFor(directory, at, refusal);
    const body: unknown = request.body ?? {};
    if (!isObject(body))
      return refuseFor(directory, at, new ScimRefusal(400, 'The body is no object.', 'invalidSyntax'));
    const done = await handler({ directory, body, id, query: request.query as Call['query'] });
    if (done instanceof Refusal) return refuseFor(directory, at, done);
    const { status = 200, refused } = done;
    if (refused !== undefined)
      await keepRefused(deps, directory, { call: at.call, status, reason: refused }, body);
    return send(reply, done);
  };

  /** Looks for the token in the turn of the network, then works in the turn of the organization. */
  const inTurn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (directory: Directory) => Promise<FastifyReply>,
  ) => {
    const find = () => findCallingDirectory(deps, request.headers.authorization);
    const network = ipPrefix(clientAddress(request));
    const directory = await app.admission.directories(find, network, waitedMs(request));
    if (directory instanceof Refusal) return refuse(reply, directory);
    if (!directory)
      return refuse(
        reply.header('www-authenticate', 'Bearer'),
        new ScimRefusal(401, 'The token is unknown.'),
      );
    const key = `organization ${directory.orgId}`;
    const done = await app.admission.directories(() => inEnglish(() => work(directory)), key);
    return done instanceof Refusal ? refuse(reply, done) : done;
  };

  await app.register(async (scim) => {
    scim.removeAllContentTypeParsers();
    readJsonBodies(scim, {
      types: ['application/json', 'application/scim+json'],
      bodyLimit: BODY_MAX_KB * 1024,
      valuesMax: BODY_MAX_VALUES,
    });
    scim.setErrorHandler((error: FastifyError, request, reply) => {
      const { statusCode } = error;
      if (statusCode === undefined || statusCode >= 500) throw error;
      const call = `${request.method} ${pathOf(request.url).path}`.slice(0, 200);
      return inTurn(request, reply, (directory) =>
        refuseFor(directory, { request, reply, call }, unreadable(statusCode)),
      );
    });
    for (const url of [SCIM_AT, `${SCIM_AT}/*`])
      scim.route({
        method: [...METHODS],
        url,
        exposeHeadRoute: false,
        config: { bound: 'directories', isForPrograms: true },
        handler: (request, reply) => inTurn(request, reply, (directory) => answer(directory, request, reply)),
      });
  });
}

const unreadable = (status: number) => {
  if (status === 413) return new ScimRefusal(413, `A body has at most ${BODY_MAX_KB} kB.`);
  if (status === 415) return new ScimRefusal(415, 'A body is JSON, as application/scim+json.');
  return new ScimRefusal(400, 'The body cannot be read.', 'invalidSyntax');
};

function send(reply: FastifyReply, { status = 200, content, location }: Answer) {
  if (content === undefined) return reply.code(204).send();
  if (location !== undefined) void reply.header('location', location);
  return reply.code(status).type('application/scim+json').send(JSON.stringify(content));
}

/** These are no conflicts here: a directory would look for a user to match. */
const forbidden: Partial<Record<RefusalName, string>> = {
  last_super_admin: 'This is the last active Super Admin of the organization.',
  sign_max_users_reached: 'The organization has no free seat.',
};

function wordsOf(refusal: Refusal) {
  if (refusal instanceof ScimRefusal)
    return { status: refusal.status, detail: refusal.words, scimType: refusal.scimType };
  const detail = forbidden[refusal.name];
  if (detail !== undefined) return { status: 403, detail };
  const { details = errorText[refusal.name] } = refusal.detail;
  return { status: errors[refusal.name].status, detail: typeof details === 'string' ? details : details() };
}

function refuse(reply: FastifyReply, refusal: Refusal) {
  const { status, detail, scimType } = inEnglish(() => wordsOf(refusal));
  const { retryAfterSeconds } = refusal.detail;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return send(reply, { status, content: errorOf(status, detail, scimType) });
}
