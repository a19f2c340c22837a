import { type IncomingHttpHeaders, request } from 'node:http';

export type RawAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};
type RawRequest = {
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
};

/** One request exactly as written: no default headers but the body's length, no path normalization, any Host. */
export const raw = (url: string, method: string, path: string, { headers = {}, body }: RawRequest = {}) =>
  new Promise<RawAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    // Node adds it to a POST only; the body of a DELETE would look like another request.
    const length = body !== undefined &&
      headers['transfer-encoding'] === undefined && { 'content-length': Buffer.byteLength(body) };
    const all = { ...length, ...headers };
    const outgoing = request({ hostname, port, method, path, headers: all, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

export function codeIn({ status, text }: RawAnswer): string | number {
  try {
    return (JSON.parse(text) as { error?: { code: string } }).error?.code ?? status;
  } catch {
    return status;
  }
}
