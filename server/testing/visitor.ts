export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    success: boolean;
    response?: unknown;
    error?: {
      code: string;
      details: string;
      fields?: Record<string, string>;
      reason?: string;
      until?: string;
    };
  };
  /** The refusal's code, or undefined after a success. */
  readonly code: string | undefined;
};

type VisitorRequest = {
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer> | FormData;
};

export class Visitor {
  readonly #url: string;
  readonly cookies: Map<string, string>;
  constructor(url: string, cookies = new Map<string, string>()) {
    this.#url = url;
    this.cookies = cookies;
  }

  get session() {
    return this.cookies.get('portico');
  }

  async request(
    method: string,
    path: string,
    { headers = {}, body, raw }: VisitorRequest = {},
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload,
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async send(method: string, path: string, request: VisitorRequest = {}): Promise<Answer> {
    const response = await this.request(method, path, request);
    const text = await response.text();
    // An image has no envelope.
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = (isJson ? JSON.parse(text) : { success: true }) as Answer['body'];
    return { status: response.status, headers: response.headers, body, code: body.error?.code };
  }

  get = (path: string, headers: Record<string, string> = {}) => this.send('GET', path, { headers });
  post = (path: string, body: unknown) => this.send('POST', path, { body });
  put = (path: string, body: unknown) => this.send('PUT', path, { body });
  delete = (path: string, body: unknown = {}) => this.send('DELETE', path, { body });
}

/** The response of a successful call; throws with the refusal otherwise. */
export function responseOf<T>(answer: Answer): T {
  if (!answer.body.success) throw new Error(`refused: ${JSON.stringify(answer.body.error)}`);
  return answer.body.response as T;
}
