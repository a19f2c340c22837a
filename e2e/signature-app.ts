import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Redeemed = {
  success: boolean;
  response?: { user: { email: string }; organization: { OrgUrlName: string } | null };
  error?: { code: string };
};

/** Plays the signature application: a separate origin whose server redeems codes and answers follow-ups. */
export class SignatureApp {
  readonly secret = 'the secret that both servers know';
  /** Answers of follow-ups by path; other paths are not found. */
  readonly answers = new Map<string, unknown>();
  /** The received follow-ups, oldest first. */
  readonly asked: { method: string; path: string; cookie: string }[] = [];
  /** The portal's URL. It is set later, because the portal needs this application's address to start. */
  portalUrl = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<SignatureApp> {
    const app = new SignatureApp();
    app.#server.listen(0, '127.0.0.1');
    await once(app.#server, 'listening');
    return app;
  }

  get url() {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname.startsWith('/followups/')) return this.#followUp(request, response, url.pathname);
    const html = `<!doctype html><title>Signature</title><h1>${await this.#greeting(url)}</h1>
<button onclick="window.open('${this.portalUrl}/login?source=' + location.hash.slice(1))">Sign in</button>`;
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'signature=visitor' });
    response.end(html);
  }

  async #greeting(url: URL): Promise<string> {
    const code = url.searchParams.get('code');
    if (code === null) return 'Signature';
    url.searchParams.delete('code');
    const redeemed = await fetch(`${this.portalUrl}/api/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, redirect_url: url.href, secret: this.secret }),
    });
    const { response, error } = (await redeemed.json()) as Redeemed;
    if (!response) return `Refused: ${error?.code}`;
    return `${response.user.email} of ${response.organization?.OrgUrlName ?? 'no organization'}`;
  }

  #followUp(request: IncomingMessage, response: ServerResponse, pathname: string) {
    const path = pathname.slice(1);
    this.asked.push({ method: request.method ?? '', path, cookie: request.headers.cookie ?? '' });
    const answer = this.answers.get(path);
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'access-control-allow-origin': this.portalUrl,
      'access-control-allow-credentials': 'true',
    });
    response.end(JSON.stringify(answer ?? { success: false }));
  }
}
