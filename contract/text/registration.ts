/** Messages of broken rules for an application's addresses. */
export const addressText = {
  wildcard: 'Please leave out *. An address has to be exact.',
  fragment: 'Please leave out # and the text behind it.',
  scheme: 'Please begin with https://. Only localhost may use http://.',
  userPart: 'Please leave out the user name before @.',
  address: 'Please enter a whole address, such as https://example.com/callback.',
  publicAddress: 'Please enter a public address that begins with https://.',
  loopback: 'Please begin with http:// for an installed application on localhost.',
  twice: 'Please enter each address once.',
  tooMany: 'Please enter at most {max} addresses.',
  kind: 'Please choose web, single-page, native or server.',
  algorithm: 'Please choose ES256 or RS256.',
  publicKeys: 'Please give a JWK Set that holds only public keys of the types RSA, EC or OKP.',
  keysOfServers: 'Only a web application or a server can have keys of its own.',
  pkce: 'Only a web application may do without PKCE.',
  noPages: 'A server without users signs nobody in. Please leave out the addresses.',
  noRedirect: 'Please enter at least one address.',
} as const;
