import { raw, type RawAnswer } from './raw.ts';
import { startApp, startBeside, type TestApp } from './start-app.ts';
import type { Answer } from './visitor.ts';

type SentHeaders = Record<string, string | string[]>;
export type Reply = Pick<Answer, 'status' | 'body' | 'code'> & { readonly headers: RawAnswer['headers'] };
export type PublicApp = TestApp & {
  /** Sends one call with exactly these headers, as the proxy passes it on. */
  send(method: string, path: string, body: unknown, headers?: SentHeaders): Promise<Reply>;
  /** Sends one POST from a client with this IP address. */
  sendFrom(address: string, path: string, body: unknown, headers?: SentHeaders): Promise<Reply>;
};

export async function startPublicApp(
  environment: Record<string, string> = {},
  beside?: TestApp,
): Promise<PublicApp> {
  const settings = { PUBLIC_URL: 'https://accounts.example', TRUSTED_PROXIES: '127.0.0.1' };
  const app = beside ? await startBeside(beside) : await startApp({ ...settings, ...environment });
  const local = `http://127.0.0.1:${app.deps.config.port}`;
  const send: PublicApp['send'] = async (method, path, body, headers = {}) => {
    const all = { host: 'accounts.example', 'content-type': 'application/json', ...headers };
    const answer = await raw(local, method, path, { headers: all, body: JSON.stringify(body) });
    const parsed = JSON.parse(answer.text) as Answer['body'];
    return { status: answer.status, headers: answer.headers, body: parsed, code: parsed.error?.code };
  };
  const sendFrom: PublicApp['sendFrom'] = (address, path, body, headers = {}) =>
    send('POST', path, body, { 'x-forwarded-for': address, ...headers });
  return { ...app, send, sendFrom };
}

export const cookiesFrom = ({ headers }: Pick<Reply, 'headers'>) =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
