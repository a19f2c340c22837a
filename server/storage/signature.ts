import { createHash, createHmac } from 'node:crypto';

type Signer = { readonly keyId: string; readonly secret: string; readonly region: string };

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The headers that authenticate a request to an S3 server: AWS Signature Version 4, including the body's hash. */
export function signed(method: string, url: URL, body: Uint8Array, signer: Signer, now: Date) {
  const time = now.toISOString().replace(/[:-]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers = { 'x-amz-content-sha256': sha256(body), 'x-amz-date': time };
  const names = 'host;x-amz-content-sha256;x-amz-date';
  const parameters = [...url.searchParams].map((pair) => pair.map(encode).join('='));
  const request = [
    method,
    url.pathname,
    parameters.toSorted().join('&'),
    ...Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${signer.region}/s3/aws4_request`;
  const key = [day, signer.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${signer.secret}`,
  );
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n'));
  const credential = `${signer.keyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature.toString('hex')}`,
  };
}

/** The signature's encoding: escapes everything but letters, digits and -._~ */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
