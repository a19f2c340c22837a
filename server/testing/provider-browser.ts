/** A browser at a provider, which keeps its cookies and follows no redirect. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();
  private readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  async request(method: string, where: string, body?: object | URLSearchParams): Promise<Response> {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(new URL(where, this.origin), {
      method,
      redirect: 'manual',
      headers: {
        origin: this.origin,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    if (!response.ok && response.status !== 302)
      throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Where a request for this address leads to. */
  async follow(where: URL): Promise<URL> {
    const { headers } = await this.request('GET', where.href);
    return new URL(headers.get('location') ?? '', where);
  }
}
