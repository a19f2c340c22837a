import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { responseOf, type Visitor } from './visitor.ts';

const MAX_HOPS = 12;
/** Some servers redirect only page navigations. `fetch` cannot send the second header. */
const opening = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };

export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  readonly #visitor: Visitor;

  /** Starts with the cookies of a portal visitor. */
  constructor(portalUrl: string, visitor: Visitor) {
    this.#visitor = visitor;
    this.#cookies.set(portalUrl, visitor.cookies);
  }

  async #get(url: URL): Promise<IncomingMessage> {
    const cookies = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const asking = request(url, { headers: { ...opening, ...(cookie && { cookie }) } }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Opens an address; returns the page where the redirects end. */
  async open(address: string) {
    let url = new URL(address);
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const response = await this.#get(url);
      const body = await text(response);
      const { location } = response.headers;
      const { statusCode: status } = response;
      if (location === undefined)
        return { url: url.href, status, type: response.headers['content-type'], text: body };
      url = new URL(location, url);
    }
    throw new Error(`${address} redirects in a circle, at last to ${url.href}`);
  }
  /** Agrees on the portal's page for consent or sign-out; returns the next page. */
  async agree({ url }: { readonly url: string }) {
    const { pathname, searchParams } = new URL(url);
    const request = searchParams.get('request');
    const answer =
      pathname === '/signout'
        ? await this.#visitor.post('/api/authorization/signout', { request })
        : await this.#visitor.post('/api/authorization', { request, accept: 1 });
    return this.open(responseOf<{ readonly url: string }>(answer).url);
  }
}
