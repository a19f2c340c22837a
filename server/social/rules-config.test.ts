import { describe, expect, test } from 'vitest';
import { readConfig, WrongEnvironment } from '#server/config.ts';

function settingsOf(environment: Record<string, string>) {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof WrongEnvironment) return error.problems;
    throw error;
  }
}
const pair = (name: string) => ({ [`${name}_CLIENT_ID`]: 'an-id', [`${name}_CLIENT_SECRET`]: 'a-secret' });
const three = (name: string, origin = 'https://id.example') => ({
  [`${name}_AUTHORIZE_URL`]: `${origin}/authorize`,
  [`${name}_TOKEN_URL`]: `${origin}/token`,
  [`${name}_USERINFO_URL`]: `${origin}/me?fields=id`,
});

test('without settings there is no provider and no Google button', () => {
  expect(settingsOf({})).toMatchObject({ facebook: null, google: null, googleLogin: false });
});

test('id and secret alone select the real providers', () => {
  const config = { clientId: 'an-id', clientSecret: 'a-secret' };
  expect(settingsOf({ ...pair('FACEBOOK'), ...pair('GOOGLE'), GOOGLE_LOGIN: '1' })).toMatchObject({
    facebook: {
      ...config,
      at: {
        authorize: new URL('https://www.facebook.com/v25.0/dialog/oauth'),
        token: new URL('https://graph.facebook.com/v25.0/oauth/access_token'),
        userInfo: new URL('https://graph.facebook.com/v25.0/me?fields=id,email,first_name,last_name'),
      },
    },
    google: { ...config, at: { issuer: new URL('https://accounts.google.com') } },
    googleLogin: true,
  });
});

describe.each(['FACEBOOK', 'GOOGLE'] as const)('%s', (name) => {
  const key = name.toLowerCase();
  test.each([
    'https://id.example/realm',
    'http://localhost:4000',
    'http://127.0.0.1:4000',
    'http://[::1]:4000',
  ])('accepts the issuer %s', (issuer) => {
    expect(settingsOf({ ...pair(name), [`${name}_ISSUER`]: issuer })).toMatchObject({
      [key]: { at: { issuer: new URL(issuer) } },
    });
  });

  test('accepts three addresses', () => {
    expect(settingsOf({ ...pair(name), ...three(name) })).toMatchObject({
      [key]: { at: { token: new URL('https://id.example/token') } },
    });
  });

  test.each<[what: string, environment: Record<string, string>, lines: string[]]>([
    [
      'an id without its secret',
      { [`${name}_CLIENT_ID`]: 'an-id' },
      [`${name}_CLIENT_SECRET: got "", takes the secret of ${name}_CLIENT_ID`],
    ],
    [
      'a secret without its id',
      { [`${name}_CLIENT_SECRET`]: 'a-secret' },
      [`${name}_CLIENT_ID: got "", takes the id that ${name}_CLIENT_SECRET is for`],
    ],
    [
      'one address of three',
      { [`${name}_TOKEN_URL`]: 'https://id.example/token' },
      [
        `${name}_AUTHORIZE_URL: got "", takes a URL when another ${name}_…_URL is set`,
        `${name}_USERINFO_URL: got "", takes a URL when another ${name}_…_URL is set`,
      ],
    ],
    [
      'an issuer and addresses',
      { [`${name}_ISSUER`]: 'https://id.example', ...three(name) },
      [`${name}_ISSUER: got "https://id.example/", takes nothing beside ${name}_…_URL`],
    ],
    [
      'plain http',
      { [`${name}_ISSUER`]: 'http://id.example' },
      [`${name}_ISSUER: got "http://id.example", takes an https URL (plain http is for loopback only)`],
    ],
    [
      'a wrong address',
      { ...three(name), [`${name}_TOKEN_URL`]: 'ftp://id.example' },
      [`${name}_TOKEN_URL: got "ftp://id.example", takes a URL that starts with http:// or https://`],
    ],
    [
      'a user in it',
      { [`${name}_ISSUER`]: 'https://user:word@id.example' },
      [`${name}_ISSUER: got "…@id.example", takes a URL without user or fragment`],
    ],
  ])('refuses %s', (_what, environment, lines) => {
    expect(settingsOf(environment)).toEqual(lines);
  });
});

test.each(['yes', 'true', '2'])('GOOGLE_LOGIN refuses %s', (value) => {
  expect(settingsOf({ GOOGLE_LOGIN: value })).toEqual([`GOOGLE_LOGIN: got "${value}", takes 0 or 1`]);
});
