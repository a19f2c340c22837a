import * as client from 'openid-client';
import { authorize, discover, enter, registerApplication } from './applications.ts';
import type { TestApp } from './start-app.ts';
import type { Visitor } from './visitor.ts';

/** A step of an application at the provider, and its maximum number of statements without begin and commit. */
type Step = { readonly run: () => Promise<unknown>; readonly queries: number };

export async function applicationSteps(app: TestApp, visitor: Visitor): Promise<Record<string, Step>> {
  const config = await discover(app, await registerApplication(app));
  const tokens = await enter(visitor, config);
  const { access_token, refresh_token = '' } = tokens;
  return {
    authorization: { queries: 4, run: () => authorize(visitor, config) },
    'authorization and exchange': { queries: 10, run: () => enter(visitor, config) },
    refresh: { queries: 4, run: () => client.refreshTokenGrant(config, refresh_token) },
    userinfo: {
      queries: 4,
      run: () => client.fetchUserInfo(config, access_token, tokens.claims()?.sub ?? ''),
    },
    introspection: { queries: 5, run: () => client.tokenIntrospection(config, access_token) },
    'introspection of a refresh token': {
      queries: 5,
      run: () => client.tokenIntrospection(config, refresh_token),
    },
  };
}
