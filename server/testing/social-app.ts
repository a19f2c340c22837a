import { SECOND_MS } from '#server/clock.ts';
import { freePort } from './ports.ts';
import { newEmail } from './people.ts';
import {
  type Claims,
  socialEnvironment,
  startFacebook,
  startGoogle,
  type TestProvider,
  throughProvider,
} from './providers.ts';
import { startApp, type TestApp } from './start-app.ts';
import { responseOf, type Visitor } from './visitor.ts';

const CHANNEL = { facebook: 1, google: 2 } as const;
export type Channel = keyof typeof CHANNEL;

/** The page after a return from a provider. */
type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly title: string;
  readonly lead: string;
  readonly link: string;
};

export type SocialApp = TestApp & Readonly<Record<Channel, TestProvider>>;

export async function startSocialApp(
  environment: Record<string, string> = {},
  webApp?: string,
): Promise<SocialApp> {
  const port = await freePort();
  const google = await startGoogle(`http://localhost:${port}/api/auth/callback/google`);
  const facebook = await startFacebook();
  const settings = socialEnvironment(google.url, facebook.url);
  const app = await startApp({ PORT: String(port), ...settings, ...environment }, webApp);
  const close = async () => {
    await app.close();
    await google.close();
    await facebook.close();
  };
  return { ...app, google, facebook, close };
}

export const askFor = async (visitor: Visitor, channel: Channel): Promise<URL> => {
  const answer = await visitor.get(`/api/auth?state=2&channel_type=${CHANNEL[channel]}`);
  return new URL(responseOf<{ auth_url: string }>(answer).auth_url);
};

export const goAndStop = async (app: TestApp, visitor: Visitor, channel: Channel) =>
  throughProvider((await askFor(visitor, channel)).href, app.url);

export async function comeBack(visitor: Visitor, path: string): Promise<Page> {
  const response = await visitor.request('GET', path);
  const html = await response.text();
  const part = (pattern: RegExp) => (pattern.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: part(/<h1>(.*?)<\/h1>/),
    lead: part(/<p>(.*?)<\/p>/),
    link: part(/<a href="(.*?)"/),
  };
}

export const signInWith = async (app: TestApp, visitor: Visitor, channel: Channel) =>
  comeBack(visitor, await goAndStop(app, visitor, channel));

type SignedIn = { id: number; email: string | null; full_name: string; confirmed: 0 | 1 } | null;
export const whoIs = async (visitor: Visitor): Promise<SignedIn> =>
  responseOf(await visitor.get('/api/ustat'));

/** The visit whose identity waits after a return in a session. */
export function visitIn({ headers, lead }: Page) {
  const visit = /^\/account\/sociallink\?visit=(.*)/.exec(headers.get('location') ?? '')?.[1];
  if (visit === undefined) throw new Error(`nothing waits: ${lead}`);
  return visit;
}
export const linkWaiting = (visitor: Visitor, page: Page) =>
  visitor.post('/api/auth/link', { visit: visitIn(page) });

let people = 0;
export const newSubject = () => `subject-${(people += 1)}`;

export async function ownerOf(app: TestApp, subject: string) {
  const row = await app.deps.sql
    .selectFrom('social_identities')
    .select('user_id')
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function linkGoogle(app: SocialApp, visitor: Visitor, claims: Claims = {}): Promise<string> {
  const sub = newSubject();
  app.google.person = { sub, ...claims };
  // In reality, too, an account is linked later than it is created.
  app.clock.forward(SECOND_MS);
  const page = await signInWith(app, visitor, 'google');
  responseOf(await linkWaiting(visitor, page));
  return sub;
}

export async function comeWithGoogle(app: SocialApp, sub: string) {
  app.google.person = { sub };
  const visitor = app.visitor();
  return { visitor, page: await signInWith(app, visitor, 'google') };
}

export const googler = (more: Claims = {}) => ({
  sub: newSubject(),
  email: newEmail('maya'),
  email_verified: true,
  given_name: 'Maya',
  family_name: 'Lind',
  ...more,
});
