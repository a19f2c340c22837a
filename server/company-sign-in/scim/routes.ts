import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { companyDirectory } from '#contract/company-sign-in/directory.ts';
import { errors, Refusal, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import {
  type Directory,
  listGroupMembers,
  listScimGroups,
  listScimUsers,
  type ScimGroup,
  type ScimUser,
} from '#server/company-sign-in/scim/data.ts';
import { groupFilters, readFilter, userFilters } from '#server/company-sign-in/scim/filters.ts';
import { changeGroup, createGroup, deleteGroup, getGroup } from '#server/company-sign-in/scim/groups.ts';
import {
  isObject,
  patchGroup,
  patchUser,
  replaceGroup,
  replaceUser,
} from '#server/company-sign-in/scim/patches.ts';
import { ScimRefusal } from '#server/company-sign-in/scim/refusals.ts';
import {
  errorOf,
  groupOf,
  listOf,
  PAGE_MAX,
  providerConfig,
  resourceTypes,
  schemas,
  userOf,
} from '#server/company-sign-in/scim/resources.ts';
import {
  addToken,
  findCaller,
  keepRefused,
  readDirectory,
  removeToken,
  SCIM_AT,
  setGroupRole,
} from '#server/company-sign-in/scim/tokens.ts';
import { changeUser, createUser, deleteUser, getUser } from '#server/company-sign-in/scim/users.ts';
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

const BODY_MAX_BYTES = 512 * 1024;
const BODY_MAX_VALUES = 10_000;
const PAGE_USUAL = 100;
const OFFSET_MAX = 1_000_000;

type Query = Readonly<Record<string, string | string[] | undefined>>;
type Call = {
  readonly directory: Directory;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: Query;
  readonly id: string;
};
type Answer = { readonly status?: number; readonly content?: unknown };

/** RFC 7644, 3.4.2.4: an index below 1 is 1, a negative count 0. */
function pageOf({ startIndex, count }: Query) {
  const number = (text: unknown, usual: number) => (/^-?\d{1,9}$/.test(String(text)) ? Number(text) : usual);
  const start = Math.min(Math.max(1, number(startIndex, 1)), OFFSET_MAX);
  return { start, offset: start - 1, limit: Math.min(Math.max(0, number(count, PAGE_USUAL)), PAGE_MAX) };
}
const filterOf = ({ filter }: Query) => (filter === undefined ? undefined : String(filter));
const wantsMembers = ({ excludedAttributes }: Query) =>
  !/\bmembers\b/i.test(String(excludedAttributes ?? ''));

const when = async <T>(
  found: Promise<T>,
  answer: (found: Exclude<T, Refusal>) => Answer | Promise<Answer>,
) => {
  const done = await found;
  return done instanceof Refusal ? done : answer(done as Exclude<T, Refusal>);
};
const nothing = (): Answer => ({});

/** Mounts the SCIM endpoint (RFC 7644) that company directories call. */
export async function serveScim(app: FastifyInstance, deps: Deps) {
  const { sql } = deps;
  const base = new URL(SCIM_AT, deps.config.publicUrl).href;
  const user = (row: ScimUser): Answer => ({ content: userOf(row, base) });
  const group = async (row: ScimGroup, isWhole = true): Promise<Answer> => {
    const members = isWhole ? await listGroupMembers(sql, [row.id]) : undefined;
    return { content: groupOf(row, members && (members.get(row.id) ?? []), base) };
  };
  const made = async (answer: Answer | Promise<Answer>) => ({ ...(await answer), status: 201 });

  const routes: Record<string, (call: Call) => Promise<Answer | Refusal>> = {
    'GET /ServiceProviderConfig': async () => ({ content: providerConfig(base) }),
    'GET /ResourceTypes': async () => ({ content: listOf(resourceTypes(base)) }),
    'GET /ResourceTypes/:id': async ({ id }) => oneOf(resourceTypes(base), id),
    'GET /Schemas': async () => ({ content: listOf(schemas(base)) }),
    'GET /Schemas/:id': async ({ id }) => oneOf(schemas(base), id),
    'GET /Users': async ({ directory, query }) => {
      const [match, page] = [readFilter(filterOf(query), userFilters), pageOf(query)];
      if (match instanceof ScimRefusal) return match;
      const { total, rows } = await listScimUsers(sql, directory.orgId, match, page);
      const users = rows.map((row) => userOf(row, base));
      return { content: listOf(users, total, page.start) };
    },
    'POST /Users': ({ directory, body }) => when(createUser(deps, directory, body), (row) => made(user(row))),
    'GET /Users/:id': ({ directory, id }) => when(getUser(sql, directory.orgId, id), user),
    'PUT /Users/:id': ({ directory, id, body }) =>
      when(changeUser(deps, directory, id, replaceUser, body), user),
    'PATCH /Users/:id': ({ directory, id, body }) =>
      when(changeUser(deps, directory, id, patchUser, body), user),
    'DELETE /Users/:id': ({ directory, id }) => when(deleteUser(deps, directory, id), nothing),
    'GET /Groups': async ({ directory, query }) => {
      const [match, page] = [readFilter(filterOf(query), groupFilters), pageOf(query)];
      if (match instanceof ScimRefusal) return match;
      const { total, rows } = await listScimGroups(sql, directory.orgId, match, page);
      const ids = rows.map(({ id }) => id);
      const members = wantsMembers(query) ? await listGroupMembers(sql, ids) : undefined;
      const groups = rows.map((row) => groupOf(row, members && (members.get(row.id) ?? []), base));
      return { content: listOf(groups, total, page.start) };
    },
    'POST /Groups': ({ directory, body }) =>
      when(createGroup(deps, directory, body), (row) => made(group(row))),
    'GET /Groups/:id': ({ directory, id, query }) =>
      when(getGroup(sql, directory.orgId, id), (row) => group(row, wantsMembers(query))),
    'PUT /Groups/:id': ({ directory, id, body }) =>
      when(changeGroup(deps, directory, id, replaceGroup, body), (row) => group(row)),
    // Entra expects no content, and a group may be large.
    'PATCH /Groups/:id': ({ directory, id, body }) =>
      when(changeGroup(deps, directory, id, patchGroup, body), nothing),
    'DELETE /Groups/:id': ({ directory, id }) => when(deleteGroup(deps, directory, id), nothing),
  };

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (call: Call) => Promise<Answer | Refusal>,
  ) => {
    const directory = await findCaller(deps, request.headers.authorization);
    if (!directory)
      return refuse(
        reply.header('www-authenticate', 'Bearer'),
        new ScimRefusal(401, 'The token is unknown.'),
      );
    const full = await deps.limiter.take('scimMinute', String(directory.orgId));
    if (full) return refuse(reply, full);
    const body: unknown = request.body ?? {};
    if (!isObject(body))
      return refuse(reply, new ScimRefusal(400, 'The body is no object.', 'invalidSyntax'));
    const { id = '' } = request.params as { id?: string };
    const done = await run({ directory, body, id, query: request.query as Query });
    if (!(done instanceof Refusal)) return send(reply, done);
    const { status, detail } = wordsOf(done);
    const call = `${request.method} ${request.routeOptions.url?.slice(SCIM_AT.length) ?? ''}`;
    // A directory looks for people whom it has not added yet.
    if (status !== 404) await keepRefused(deps, directory, { call, status, reason: detail }, body);
    return refuse(reply, done);
  };

  await app.register(async (scim) => {
    scim.removeAllContentTypeParsers();
    readJsonBodies(scim, {
      types: ['application/json', 'application/scim+json'],
      bodyLimit: BODY_MAX_BYTES,
      valuesMax: BODY_MAX_VALUES,
    });
    scim.setErrorHandler((error: FastifyError, _request, reply) => {
      const { statusCode } = error;
      if (statusCode === undefined || statusCode >= 500) throw error;
      const status = statusCode === 413 || statusCode === 415 ? statusCode : 400;
      return refuse(
        reply,
        new ScimRefusal(status, 'The body cannot be read.', status === 400 ? 'invalidSyntax' : undefined),
      );
    });
    for (const [name, run] of Object.entries(routes)) {
      const [method = '', path = ''] = name.split(' ');
      scim.route({
        method,
        url: SCIM_AT + path,
        exposeHeadRoute: false,
        config: { bound: 'directories', isForPrograms: true },
        handler: async (request, reply) => {
          const key = ipPrefix(clientAddress(request));
          const work = () => inEnglish(() => answer(request, reply, run));
          const done = await app.admission.directories(work, key, waitedMs(request));
          return done instanceof Refusal ? refuse(reply, done) : done;
        },
      });
    }
  });
}

const oneOf = (list: readonly { readonly id: string }[], id: string) => {
  const content = list.find((one) => one.id === id);
  return content ? { content } : new ScimRefusal(404, 'There is no such resource.');
};

function send(reply: FastifyReply, { status = 200, content }: Answer) {
  if (content === undefined) return reply.code(204).send();
  if (status === 201)
    void reply.header('location', (content as { meta: { location: string } }).meta.location);
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
