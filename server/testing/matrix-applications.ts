import { discover, enter, registerApplication } from './applications.ts';
import {
  all,
  change,
  everybody,
  idle,
  look,
  nobody,
  ofProven,
  ofSuperAdmins,
  outside,
  signedOut,
} from './matrix-world.ts';
import { confirmed, newEmail } from './people.ts';
import { responseOf } from './visitor.ts';

const application = {
  name: 'Books',
  kind: 'web',
  description: '',
  start_url: '',
  redirect_urls: ['https://books.example/callback'],
  signed_out_urls: [],
  sign_out_url: '',
  is_for_everyone: 1,
  role_ids: [],
};
const unknownRequest = { request: 'unknown' };

/** The calls of applications, of the way on to them, and of webhooks. */
export const applicationCalls = {
  onward: {
    redirect: idle(outside, 'a code for an application changes no data', { redirect_url: '/x' }),
    redeem: change(all('not_allowed'), 'an application’s server only looks up its visitor', () => ({
      code: 'A'.repeat(43),
      redirect_url: 'https://a.example/',
      secret: 'x',
    })),
    next: look(signedOut, { path: 'myapps' }),
  },
  applications: {
    listOwn: look(ofSuperAdmins),
    register: change(ofProven, ['organization.ownApplication.create'], application),
    change: change(ofProven, ['organization.ownApplication.update'], async (world) => ({
      application_id: await world.newApplication(),
      name: newEmail('renamed'),
    })),
    unregister: change(ofProven, ['organization.ownApplication.delete'], async (world) => ({
      application_id: await world.newApplication(),
      name: 'Sign',
    })),
    rotateSecret: change(ofProven, ['organization.ownApplication.change'], async (world) => ({
      application_id: await world.newApplication(),
    })),
    pause: change(ofProven, ['organization.ownApplication.update'], async (world) => ({
      application_id: await world.newApplication(),
      is_paused: 1,
    })),
    show: look(nobody, async (world) => ({ request: await world.openRequest() })),
    showSignOut: look(everybody('authorization_expired'), unknownRequest),
    confirmSignOut: change(
      everybody('authorization_expired'),
      ['signInDevice.signIn.delete'],
      unknownRequest,
      async (app) => {
        const { visitor } = await confirmed(app);
        const response = await visitor.request('GET', '/oidc/logout');
        const request = new URL(response.headers.get('location') ?? '').searchParams.get('request');
        return () => visitor.post('/api/authorization/signout', { request });
      },
    ),
    listConnected: look(signedOut),
    // Nothing is connected.
    removeAccess: idle(signedOut, ['profile.connectedApplication.delete'], { id: 1 }, async (app) => {
      const { visitor } = await confirmed(app);
      await enter(visitor, await discover(app, await registerApplication(app)), { scope: 'openid' });
      const [{ id } = {}] = responseOf<{ id: number }[]>(await visitor.get('/api/applications/connected'));
      return () => visitor.delete('/api/applications/connected', { id });
    }),
    // Without an organization, so that callers of each one may answer.
    answer: change(signedOut, 'entering an application is recorded with its code', async (world) => ({
      request: await world.openRequest(),
      accept: 1,
      org_id: undefined,
    })),
  },
  webhooks: {
    list: look(ofSuperAdmins),
    add: change(ofProven, ['organization.webhook.create'], () => ({
      url: `https://hooks.example/${newEmail('hook').replace('@', '/')}`,
      description: '',
      events: [],
    })),
    change: change(ofProven, ['organization.webhook.update'], async (world) => ({
      webhook_id: (await world.newWebhook()).id,
      description: newEmail('described'),
    })),
    remove: change(ofProven, ['organization.webhook.delete'], async (world) => {
      const { id, url } = await world.newWebhook();
      return { webhook_id: id, url };
    }),
    rotateSecret: change(ofProven, ['organization.webhook.change'], async (world) => ({
      webhook_id: (await world.newWebhook()).id,
    })),
    pause: change(ofProven, ['organization.webhook.update'], async (world) => ({
      webhook_id: (await world.newWebhook()).id,
      is_paused: 1,
    })),
    listDeliveries: look(ofSuperAdmins, async (world) => ({ webhook_id: (await world.newWebhook()).id })),
    sendTest: change(ofProven, ['organization.webhook.update'], async (world) => ({
      webhook_id: (await world.newWebhook()).id,
    })),
    sendAgain: change(ofProven, ['organization.webhook.update'], (world) => world.newDelivery()),
  },
};
