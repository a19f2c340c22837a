import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { type Shown, shownAs } from '#contract/split-by-bytes/shown.ts';
import { PERSON_HEADER } from '#contract/sessions/person-header.ts';
import { uiText } from '#words/ui.ts';
import type { InputSchema } from '#contract/wire.ts';
import { whyNoAnswer } from './cause.ts';
import { waitWords } from './wait-words.ts';

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

/** A refused or failed call: the wire's code, a text for people, and field messages under our names. */
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

export const callHeaders: Record<string, string> = {};

/** The server refuses calls of this document unless this person, or with an empty name nobody, is signed in. */
export function actFor(person?: string) {
  if (person === undefined) delete callHeaders[PERSON_HEADER];
  else callHeaders[PERSON_HEADER] = person;
}

export function request(endpoint: Endpoint, input: unknown): Promise<Response> {
  const wire = z.encode(endpoint.input, input) as Record<string, unknown>;
  if (endpoint.method === 'GET') {
    // `URLSearchParams` turns other values into text.
    const query = new URLSearchParams(wire as Record<string, string>);
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = query.get(name) ?? '';
      query.delete(name);
      return encodeURIComponent(value);
    });
    return fetch(query.size === 0 ? path : `${path}?${query.toString()}`, { headers: callHeaders });
  }
  return fetch(endpoint.path, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...callHeaders },
    body: JSON.stringify(wire),
  });
}

/** Makes one call. Throws CallError when it is refused, gets no answer, or the answer cannot be read. */
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

export const unreadable = () => new CallError('internal_error', whyNoAnswer());

/** Throws CallError if it is a refusal (with the wait, if known) or cannot be read. */
export function outputOf<E extends Endpoint>(endpoint: E, envelope: Envelope, wait?: string): Output<E> {
  if (envelope.success) {
    const result = z.safeDecode(endpoint.output, envelope.response);
    if (result.success) return result.data as Output<E>;
    throw Object.assign(unreadable(), { cause: result.error });
  }
  const { code, details, fields = {}, ...rest } = envelope.error;
  const schema = endpoint.input as InputSchema;
  const ours = Object.entries(fields).map(([wire, text]) => [schema.ours(wire), text]);
  const message = wait === undefined ? details : `${details} ${uiText.tryAgainIn({ wait })}`;
  throw new CallError(code, message, {
    fields: Object.fromEntries(ours) as Record<string, string>,
    ...rest,
  });
}
