import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { type Shown, shownAs } from '#contract/shown.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import type { InputSchema } from '#contract/wire.ts';
import { waitWords } from '#web/lib/wait-words.ts';

/** Every answer's outer form. */
export type Envelope =
  | { success: true; response: unknown }
  | {
      success: false;
      error: {
        code: string;
        details: string;
        fields?: Record<string, string>;
        reason?: 'deactivated' | 'restricted';
        until?: string;
      };
    };

/** A refused or failed call: the wire's code, a text for a person, field messages under our names. */
export class CallError extends Error {
  readonly code: string;
  readonly shown: Shown;
  readonly fields: Readonly<Record<string, string>>;
  readonly reason: 'deactivated' | 'restricted' | undefined;
  readonly until: string | undefined;
  constructor(
    code: string,
    message: string,
    detail: Partial<Pick<CallError, 'fields' | 'reason' | 'until'>> = {},
  ) {
    super(message);
    this.code = code;
    this.shown = shownAs(code);
    this.fields = detail.fields ?? {};
    this.reason = detail.reason;
    this.until = detail.until;
  }
}

/** The bare answer to a call; whoever wants an envelope takes `call`. */
export function request(endpoint: Endpoint, input: unknown): Promise<Response> {
  const wire = z.encode(endpoint.input, input) as Record<string, unknown>;
  if (endpoint.method === 'GET') {
    // Whatever else there is becomes text here.
    const query = new URLSearchParams(wire as Record<string, string>);
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = query.get(name) ?? '';
      query.delete(name);
      return encodeURIComponent(value);
    });
    return fetch(query.size === 0 ? path : `${path}?${query.toString()}`);
  }
  return fetch(endpoint.path, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wire),
  });
}

/** Makes one call; throws CallError when it is refused, when nothing answers, or when the answer can't be read. */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Output<E>> {
  let envelope: Envelope;
  let wait: string | undefined;
  try {
    const response = await request(endpoint, input);
    wait = waitWords(Number(response.headers.get('retry-after')));
    envelope = (await response.json()) as Envelope;
  } catch (cause) {
    throw Object.assign(unreadable(), { cause });
  }
  return outputOf(endpoint, envelope, wait);
}

/** No answer, or none that could be read. */
export const unreadable = () => new CallError('internal_error', uiText.wentWrong);

/** What an answer says; throws CallError when it refuses, with how long to wait where that is known. */
export function outputOf<E extends Endpoint>(endpoint: E, envelope: Envelope, wait?: string): Output<E> {
  if (envelope.success) return z.decode(endpoint.output, envelope.response) as Output<E>;
  const { code, details, fields = {}, ...rest } = envelope.error;
  const schema = endpoint.input as InputSchema;
  const ours = Object.entries(fields).map(([wire, text]) => [schema.ours(wire), text]);
  const message = wait === undefined ? details : `${details} ${fill(uiText.tryAgainIn, { wait })}`;
  throw new CallError(code, message, {
    fields: Object.fromEntries(ours) as Record<string, string>,
    ...rest,
  });
}
