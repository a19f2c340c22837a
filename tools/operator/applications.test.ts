import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressText } from '#words/address.ts';
import { exampleCommand, exampleRegistration } from '#server/testing/documented.ts';
import { FreshInstallation } from './testing/fresh-installation.ts';

let site: FreshInstallation;
beforeAll(async () => {
  site = await FreshInstallation.make({ INIT_CWD: '/operators' });
}, 60_000);
afterAll(() => site.remove());

const CALLBACK = 'https://sign.example/callback';
type Added = { readonly client_id: string; readonly client_secret: string | null };
const add = (name: string, ...options: string[]) =>
  site.json<Added>('applications', 'add', '--name', name, '--redirect', CALLBACK, ...options);
const show = (name: string) => site.json<Record<string, unknown>>('applications', 'show', name);

describe('a registration', () => {
  test.for<[message: string, ...options: string[]]>([
    [`--redirect http://sign.example/: ${addressText.scheme}`, '--redirect', 'http://sign.example/'],
    [`--redirect ${CALLBACK}#top: ${addressText.fragment}`, '--redirect', `${CALLBACK}#top`],
    [`--redirect https://*.example/: ${addressText.wildcard}`, '--redirect', 'https://*.example/'],
    [`--redirect https://a@b.example/: ${addressText.userPart}`, '--redirect', 'https://a@b.example/'],
    [`--redirect: ${addressText.twice}`, '--redirect', CALLBACK, '--redirect', CALLBACK],
    [`--redirect: ${addressText.noRedirect}`],
    [`--redirect: ${addressText.noPages}`, '--kind', 'server', '--redirect', CALLBACK],
    [`--signed-out http://b.example: ${addressText.scheme}`, '--signed-out', 'http://b.example'],
    [`--logout-tokens http://b.example: ${addressText.scheme}`, '--logout-tokens', 'http://b.example'],
    [`--start ftp://b.example: ${addressText.scheme}`, '--start', 'ftp://b.example'],
    [`--api urn:b: ${addressText.scheme}`, '--api', 'urn:b'],
    [`--kind desktop: ${addressText.kind}`, '--kind', 'desktop'],
    [`--algorithm none: ${addressText.algorithm}`, '--algorithm', 'none'],
    [`--logout-tokens ${CALLBACK}: ${addressText.noPages}`, '--kind', 'server', '--logout-tokens', CALLBACK],
    [`--pkce: ${addressText.pkce}`, '--kind', 'native', '--redirect', CALLBACK, '--no-pkce'],
    ['There is no organization "nowhere".', '--redirect', CALLBACK, '--members-of', 'nowhere'],
    [`--signed-out: ${addressText.noPages}`, '--kind', 'server', '--signed-out', CALLBACK],
    [`--start ${CALLBACK}: ${addressText.noPages}`, '--kind', 'server', '--start', CALLBACK],
    ['--public-keys /nowhere: There is no such file.', '--public-keys', '/nowhere'],
    ['/operators/nowhere: There is no such file.', '--redirect', CALLBACK, '--icon', 'nowhere'],
    ['PNG', '--redirect', CALLBACK, '--icon', path.resolve('package.json')],
    [`--public-keys: ${addressText.publicKeys}`, '--public-keys', path.resolve('package.json')],
  ])('is refused: %s', async ([message, ...options]) => {
    const { code, errors } = await site.run('applications', 'add', '--name', 'Wrong', ...options);
    expect(errors).toContain(message);
    expect(code).toBe(1);
    expect((await site.run('applications', 'show', 'Wrong')).errors).toBe('There is no application "Wrong".');
  });

  test('shows client id and secret once, and logs everything but the secret', async () => {
    const output = await add('Sign', '--first-party', '--redirect', 'http://localhost:4000/callback');
    expect(output).toEqual({
      client_id: expect.stringMatching(/^app-[\w-]{16}$/) as string,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const information = await site.lastInformation();
    expect(information).toMatchObject({
      name: [null, 'Sign'],
      is_first_party: [null, true],
      redirect_urls: [null, [CALLBACK, 'http://localhost:4000/callback']],
    });
    const listing = JSON.stringify([
      information,
      await show('Sign'),
      (await site.run('applications', 'show', 'Sign')).out,
    ]);
    expect(listing).not.toContain(output.client_secret);
  });

  test('admits members only, or everybody again', async () => {
    await add('Members', '--members-only', '--no-pkce');
    expect(await show('Members')).toMatchObject({ members_of: 0, requires_pkce: false });
    await site.run('applications', 'edit', 'Members', '--no-members-only', '--pkce');
    expect(await show('Members')).toMatchObject({ members_of: null, requires_pkce: true });
  });

  test('of a single-page application has no secret', async () => {
    expect(await add('Pages', '--kind', 'single-page')).toMatchObject({ client_secret: null });
  });
});

test.for(['Node', 'Browser only', 'Apache'])(
  'the documented command registers the example: %s',
  async (chapter) => {
    const { client_id: clientId } = await site.json<Added>(...exampleCommand(chapter));
    expect(await show(clientId)).toMatchObject(exampleRegistration(chapter, 'https://app.example.com'));
  },
);

test('applications are listed', async () => {
  await add('Listed', '--logout-tokens', 'https://sign.example/ended');
  expect((await site.run('applications', 'show', 'Listed')).out).toMatch(
    /^redirect addresses +https:.*\nlogout tokens +https:/m,
  );
  expect((await site.run('applications', 'list')).out).toMatch(
    /^app-[\w-]{16} {2}Listed {2}web, third-party$/m,
  );
});

test('an edit changes only the settings that it names, and logs old and new values', async () => {
  await add('Edited', '--description', 'Before', '--signed-out', 'https://sign.example/bye', '--par');
  const { out } = await site.run(
    'applications',
    'edit',
    'Edited',
    '--description',
    'After',
    '--signed-out',
    '',
    '--no-par',
  );
  expect(out).toContain('Changed: description, signed out addresses, requires par.');
  expect(await show('Edited')).toMatchObject({
    description: 'After',
    redirect_urls: [CALLBACK],
    signed_out_urls: [],
    requires_par: false,
  });
  expect(await site.lastInformation()).toMatchObject({
    application: 'Edited',
    description: ['Before', 'After'],
    signed_out_urls: [['https://sign.example/bye'], []],
    requires_par: [true, false],
  });
});

test.for([
  [['edit', 'Edited'], 'No changes'],
  [['edit', 'Edited', '--redirect', ''], addressText.noRedirect],
  [['edit', 'Nowhere', '--name', 'x'], 'There is no application "Nowhere".'],
  [['rotate-secret', 'Pages'], 'This application has no secret'],
  [['resume', 'Edited'], 'No changes'],
] as const)('%j cannot be done', async ([args, words]) => {
  const { code, errors } = await site.run('applications', ...args);
  expect(errors).toContain(words);
  expect(code).toBe(1);
});

test.for([
  [['applications', 'delete', 'X'], 'There is no command applications. There are applications add, '],
  [['applications', 'edit', 'Edited', '--kind', 'native'], '--kind goes with applications add.'],
  [['applications', 'show'], 'Usage: npm run operator -- applications show <client id, or name>'],
] as const)('%j is invalid', async ([args, words]) => {
  const { code, errors } = await site.run(...args);
  expect(errors).toContain(words);
  expect(code).toBe(2);
});

test('an ambiguous name selects no application', async () => {
  const [first, second] = [await add('Twin'), await add('Twin')];
  const { errors } = await site.run('applications', 'remove', 'Twin');
  expect(errors).toContain('2 applications match "Twin". Name one by its client id:');
  expect(errors).toContain(first.client_id);
  expect((await site.run('applications', 'remove', second.client_id)).out).toContain('Removed.');
  expect(await show('Twin')).toMatchObject({ client_id: first.client_id });
});

test('a secret is rotated, and an application is paused and resumed, each with a log row', async () => {
  await add('Acted');
  const secretOf = (out: string) => /^secret +([\w-]{43})$/m.exec(out)?.[1] ?? '';
  expect(secretOf((await site.run('applications', 'rotate-secret', 'Acted', '--at-once')).out)).not.toBe('');
  expect(await site.lastInformation()).toMatchObject({
    application: 'Acted',
    former_secret_ends: [null, expect.any(String)],
  });
  expect((await site.run('applications', 'pause', 'Acted')).out).toContain('Paused');
  expect(await site.lastInformation()).toMatchObject({ application: 'Acted', paused: [false, true] });
  expect((await site.run('applications', 'list')).out).toContain('Acted  web, third-party, paused');
  expect((await site.run('applications', 'resume', 'Acted')).code).toBe(0);
});
