import * as z from 'zod/mini';
import { file, flag, several, text } from './act.ts';

export const settings = {
  name: text('<text>'),
  description: text('<text>'),
  'first-party': flag('signs people in without their consent (--no-first-party: with it)'),
  start: text('<address>  its page for people who come from the portal'),
  icon: file('<file>  a PNG or JPEG; an empty name removes it'),
  redirect: several('<address>  receives people with a code; may be repeated', z.string()),
  'signed-out': several('<address>  receives people after their sign-out; may be repeated', z.string()),
  'logout-tokens': text('<address>  receives logout tokens (back-channel logout)'),
  algorithm: text('<ES256 or RS256>  signs its tokens'),
  'public-keys': file('<file>  a JWK Set, in place of a secret (private_key_jwt)'),
  api: several('<address>  an API that it may call; may be repeated', z.string()),
  'members-only': flag('admits active members of any organization, not everybody with an account'),
  'members-of': text('<organization>  admits active members of this one; an empty name admits everybody'),
  pkce: flag('--no-pkce: a web application whose library cannot do PKCE; it must send a nonce'),
  par: flag('requires pushed authorization requests'),
  dpop: flag('requires bound tokens (DPoP)'),
};

export const labelOf = (name: string) =>
  name === 'sign_out_url'
    ? 'logout tokens'
    : name.replaceAll('_', ' ').replace('urls', 'addresses').replace('url', 'address');
