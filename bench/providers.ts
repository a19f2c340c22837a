import { createHash, randomBytes } from 'node:crypto';
import { createPostgresDatabase, openTestDatabase } from '#server/testing/databases.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';
import type { LoadRequest } from './load.ts';
import { startOn } from './portico.ts';
import { asker, PASSWORD, PEOPLE, type Server, startBetterAuthServer } from './sides.ts';

// Two OpenID providers, each with one application of a server and the same number of people, who are signed in.

const CALLBACK = 'https://sign.example/callback';
const CLIENT_ID = 'the-application';
const CLIENT_SECRET = randomBytes(32).toString('base64url');
const SCOPE = 'openid profile email';
const BASIC = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
const VERIFIER = 'v'.repeat(43);

export const steps = [
  'discovery',
  'authorization',
  'exchange',
  'refresh',
  'userinfo',
  'introspection',
] as const;
export type Step = (typeof steps)[number];

/** A provider whose steps use what the steps before them got; each code and refresh token is used once. */
export type ProviderSide = Server & { readonly ask: (step: Step, nth: number) => LoadRequest };

type Endpoints = Readonly<
  Record<`${'authorization' | 'token' | 'userinfo' | 'introspection'}_endpoint`, string>
>;
type Tokens = { readonly access_token: string; readonly refresh_token: string };

const bodyOf = <T>(answer: string) => {
  // A chunked body is one object between its lengths.
  const body = answer.slice(answer.indexOf('\r\n\r\n'));
  return JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as T;
};

function codeIn(location: string): string | undefined {
  return location.startsWith(`${CALLBACK}?`)
    ? (new URL(location).searchParams.get('code') ?? undefined)
    : undefined;
}

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Lets each person enter the application once, and returns the steps that follow. */
async function enter(
  server: Server,
  discovery: string,
  people: readonly Visitor[],
  scope = SCOPE,
): Promise<ProviderSide> {
  const origin = `http://127.0.0.1:${server.port}`;
  const endpoints = (await (await fetch(origin + discovery)).json()) as Endpoints;
  const request = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    state: 'the-state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const authorization = `${pathOf(endpoints.authorization_endpoint)}?${request.toString()}`;
  for (const visitor of people) {
    let location = origin + authorization;
    while (codeIn(location) === undefined) {
      const response = await visitor.request('GET', pathOf(new URL(location, origin).href));
      // Better Auth answers fetch with JSON instead of a redirect.
      location = response.headers.get('location') ?? ((await response.json()) as { url: string }).url;
    }
  }
  const cookies = people.map((visitor) =>
    [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  );

  const codes: string[] = [];
  const refreshTokens: string[] = [];
  const accessTokens: string[] = [];
  const next = (from: string[], nth: number) => from.shift() ?? `none is left for request ${nth}`;
  const post = (
    endpoint: string,
    form: Record<string, string>,
    take: (answer: string) => void = () => {},
  ) => ({
    path: pathOf(endpoint),
    authorization: BASIC,
    form,
    take,
  });
  const asks: Record<Step, (nth: number) => LoadRequest> = {
    discovery: () => ({ path: discovery }),
    authorization: (nth) => ({
      path: authorization,
      cookie: cookies[asker(nth)] ?? '',
      isNavigation: true,
      take: (answer) => {
        const code = codeIn(/^location: (.*)\r$/im.exec(answer)?.[1] ?? '');
        if (code === undefined) throw new Error(`no code: ${answer}`);
        codes.push(code);
      },
    }),
    exchange: (nth) =>
      post(
        endpoints.token_endpoint,
        {
          grant_type: 'authorization_code',
          code: next(codes, nth),
          redirect_uri: CALLBACK,
          code_verifier: VERIFIER,
        },
        (answer) => refreshTokens.push(bodyOf<Tokens>(answer).refresh_token),
      ),
    refresh: (nth) =>
      post(
        endpoints.token_endpoint,
        { grant_type: 'refresh_token', refresh_token: next(refreshTokens, nth) },
        (answer) => accessTokens.push(bodyOf<Tokens>(answer).access_token),
      ),
    userinfo: (nth) => ({
      path: pathOf(endpoints.userinfo_endpoint),
      authorization: `Bearer ${accessTokens.at(-1 - asker(nth)) ?? ''}`,
    }),
    introspection: (nth) =>
      post(
        endpoints.introspection_endpoint,
        { token: accessTokens.at(-1 - asker(nth)) ?? '', token_type_hint: 'access_token' },
        (answer) => {
          if (!bodyOf<{ active: boolean }>(answer).active) throw new Error(`not active: ${answer}`);
        },
      ),
  };
  return { ...server, ask: (step, nth) => asks[step](nth) };
}

/** As many people as an organization's own users in the other measurements. */
const people = (url: string) => Array.from({ length: PEOPLE / 2 }, () => new Visitor(url));

const application = { CALLBACK, CLIENT_ID, CLIENT_SECRET };

export async function startBetterAuthProvider(): Promise<ProviderSide> {
  // It gives refresh tokens for this scope only.
  const scope = `${SCOPE} offline_access`;
  const server = await startBetterAuthServer({
    ...application,
    SCOPE: scope,
    DATABASE_URL: await createPostgresDatabase(),
    SECRET: randomBytes(32).toString('base64'),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const visitors = people(url);
  for (const [nth, visitor] of visitors.entries()) {
    const body = { email: `person${nth}@northwind.example`, password: PASSWORD, name: 'Maya Lindqvist' };
    const init = { body, headers: { origin: url } };
    const response = await visitor.request('POST', '/api/auth/sign-up/email', init);
    if (!response.ok) throw new Error(`sign-up: ${response.status} ${await response.text()}`);
  }
  return enter(server, '/api/auth/.well-known/openid-configuration', visitors, scope);
}

export async function startPorticoProvider(): Promise<ProviderSide> {
  const database = await openTestDatabase();
  const portal = await startOn(database.url ?? '');
  const { id } = await database.sql
    .insertInto('applications')
    .values({
      client_id: CLIENT_ID,
      name: 'Sign',
      kind: 'web',
      is_first_party: true,
      redirect_urls: [CALLBACK],
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secretHash = createHash('sha256').update(CLIENT_SECRET).digest();
  await database.sql
    .insertInto('application_secrets')
    .values({ application_id: id, secret_hash: secretHash, created_at: new Date() })
    .execute();
  const visitors = people(portal.url);
  for (const [nth, visitor] of visitors.entries()) {
    const email = `person${nth}@northwind.example`;
    responseOf(await visitor.post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' }));
  }
  await database.sql
    .updateTable('users')
    .set({ confirmed_at: new Date(), first_name: 'Maya', last_name: 'Lindqvist' })
    .execute();
  await database.close();
  const stop = () => {
    portal.kill('SIGTERM');
    return portal.ended;
  };
  return enter({ ...portal, stop }, '/.well-known/openid-configuration', visitors);
}
