import { webhooksText as text } from '#words/webhooks.ts';
import { type OrganizationEvent, type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { Registry } from '#web/registry/registry.ts';

export const isOff = ({ isPaused, switchedOffTime }: Webhook) => isPaused || switchedOffTime !== null;

export const registry: Registry<Webhook> = {
  ...webhooks,
  path: 'webhooks',
  act: 'manageWebhooks',
  text,
  nameOf: ({ url }) => url,
  isOff,
  stateOf: ({ isPaused, switchedOffTime, failingSince }) => {
    if (switchedOffTime) return { tone: 'bad', children: text.switchedOff };
    if (isPaused) return { tone: 'warn', children: text.paused };
    return failingSince ? { tone: 'bad', children: text.failing } : { tone: 'good', children: text.active };
  },
  troubleOf: ({ isPaused, switchedOffTime, failingSince }, momentWithin) => {
    if (switchedOffTime)
      return { kind: 'danger', words: text.offSince({ time: momentWithin(switchedOffTime) }) };
    if (failingSince && !isPaused)
      return { kind: 'warning', words: text.failingSince({ time: momentWithin(failingSince) }) };
    return undefined;
  },
};

type Joined<E> = E extends `${infer A}.${infer B}` ? `${A}${Capitalize<B>}` : never;
/** The words for `member.joined` are the text `memberJoined`. An event without words keeps its name. */
export function eventWords(event: string): string {
  const words: Readonly<Record<string, string>> = text.eventNames satisfies Record<
    Joined<OrganizationEvent>,
    string
  >;
  return words[event.replace(/\.(.)/, (_, first: string) => first.toUpperCase())] ?? event;
}
