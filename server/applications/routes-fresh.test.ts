import { expect, test } from 'vitest';
import { ask, setting } from '#server/testing/applications.ts';
import { PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();
const requestOf = (page: URL) => page.searchParams.get('request') ?? '';

test.for([{ prompt: 'login' }, { max_age: '1' }])(
  'an earlier session is no fresh sign-in for %j (P24)',
  async (more) => {
    const at = await setting(app);
    const earlier = at.visitor.cookies.get('portico') ?? '';
    const pathAfter = async (request: string) => {
      const { url } = responseOf<{ url: string }>(
        await at.visitor.post('/api/authorization', { request, accept: 1 }),
      );
      at.visitor.cookies.set('portico', earlier);
      const back = await at.visitor.request('GET', new URL(url).pathname);
      return new URL(back.headers.get('location') ?? '');
    };
    at.visitor.cookies.delete('portico');
    app.clock.forward(3000);
    const first = requestOf(await ask(at, more));
    at.visitor.cookies.set('portico', earlier);
    const page = await pathAfter(first);
    expect(page.pathname).toBe('/authorize');
    const request = requestOf(page);
    expect((await at.visitor.post('/api/authorization', { request, accept: 1 })).code).toBe(
      'reauthentication_required',
    );
    // Nor does a proof by another session of the same person count for this one.
    const { email } = responseOf<{ email: string }>(await at.visitor.get('/api/user'));
    const fresh = { email_id: email, password: PASSWORD, timezone: '' };
    at.visitor.cookies.delete('portico');
    responseOf(await at.visitor.post('/api/signin', fresh));
    expect((await pathAfter(request)).pathname).toBe('/authorize');
  },
);
