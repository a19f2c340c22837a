import { expect, test } from 'vitest';
import { signed } from './signature.ts';

// The examples of Amazon's "Signature Calculations for the Authorization Header".
const signer = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const now = new Date('2013-05-24T00:00:00.000Z');
const nothing = new Uint8Array();

test.each([
  ['?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ['?prefix=J&max-keys=2', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])("GET /%s gets Amazon's example signature", (query, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com/${query}`);
  expect(signed('GET', url, nothing, signer, now)).toEqual({
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=${signature}`,
  });
});

test.each([
  ['another method', 'PUT', 'https://s/b', nothing, now],
  ['another server', 'GET', 'https://s:9/b', nothing, now],
  ['another file', 'GET', 'https://s/b/c', nothing, now],
  ['another query', 'GET', 'https://s/b?list', nothing, now],
  ['other bytes', 'GET', 'https://s/b', Buffer.from('x'), now],
  ['another second', 'GET', 'https://s/b', nothing, new Date(now.getTime() + 1000)],
])('%s has another signature', (_what, method, url, body, at) => {
  const plain = signed('GET', new URL('https://s/b'), nothing, signer, now);
  expect(signed(method, new URL(url), body, signer, at).authorization).not.toBe(plain.authorization);
});
