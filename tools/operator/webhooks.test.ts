import { expect, test } from 'vitest';
import { addressText } from '#words/address.ts';
import { refusalText } from '#words/refusal.ts';
import { useApp } from '#server/testing/use-app.ts';
import { deliverDue, startReceiver } from '#server/testing/webhooks.ts';
import type { Options } from './command.ts';
import { webhookCommands } from './webhooks.ts';

const app = useApp();
const run = (name: string, args: readonly string[] = [], options: Options = {}) => {
  const command = webhookCommands[`webhooks ${name}`]?.run;
  if (command && 'changes' in command) return command.changes(app.deps, args, options);
  if (command && 'looksUp' in command) return command.looksUp(app.deps, args, options);
  throw new Error(`no command ${name}`);
};

test('a webhook of the suite is added, receives a test event, gets a new secret, pauses and is removed', async () => {
  const receiver = await startReceiver();
  const { url } = receiver;
  const added = await run('add', [url], { event: ['person.changed', 'role.created'] });
  const { secret } = added.data as { secret: string };
  expect(added.lines).toContain(`secret     ${secret}`);
  expect((await run('list')).lines).toEqual([`${url}  on  person.changed, role.created`]);
  await run('test', [url]);
  await deliverDue(app);
  expect(receiver.events()).toMatchObject([{ type: 'test', data: {} }]);
  const rotated = (await run('rotate-secret', [url])).data as { secret: string };
  expect(rotated.secret).not.toBe(secret);
  await run('pause', [url]);
  expect((await run('list')).lines).toEqual([`${url}  paused  person.changed, role.created`]);
  await run('resume', [url]);
  await run('remove', [url]);
  expect((await run('list')).lines).toEqual(['There is none.']);
  receiver.close();
});

test.for<[what: string, args: readonly string[], options: Options, message: string]>([
  ['add', ['http://sign.example/'], {}, addressText.scheme],
  ['add', ['https://sign.example/'], { event: ['person.born'] }, '--event person.born: takes member.invited'],
  ['pause', ['https://unknown.example/'], {}, 'This webhook was not found.'],
])('%s %j %j is refused', async ([name, args, options, message]) => {
  await expect(run(name, args, options)).rejects.toThrow(message);
});

test('an address is taken once', async () => {
  await run('add', ['https://twice.example/']);
  await expect(run('add', ['https://twice.example/'])).rejects.toThrow(refusalText.webhookTaken);
});
