import { useState } from 'react';
import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import type { InputSchema } from '#contract/wire.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';

type Values = Record<string, string>;
type Messages = Readonly<Record<string, string>>;

/** Runs the call's own input rules on form values: its input, or a message for each field that breaks one. */
export function check<E extends Endpoint>(
  endpoint: E,
  values: object,
): { input: Input<E> } | { messages: Messages } {
  const schema = endpoint.input as InputSchema;
  const result = z.safeDecode(schema, schema.wire(values));
  if (result.success) return { input: result.data as Input<E> };
  const messages: Record<string, string> = {};
  for (const issue of result.error.issues) messages[schema.ours(String(issue.path[0]))] ??= issue.message;
  return { messages };
}

export type FormOptions<E extends Endpoint, V extends Values> = {
  initial: V;
  /** What goes to the call, when it is not the values as they are; keys that are undefined are left out. */
  toInput?: (values: V) => object;
  /** Rules between fields, such as two passwords that must be equal. */
  rules?: (values: V) => Partial<Record<keyof V, string>>;
  claims?: Claims;
  onDone: (output: Output<E>, values: V) => void;
};

/** A form bound to one call: values, messages, and a submit that checks, calls and keeps every input on failure. */
export function useForm<E extends Endpoint, V extends Values>(endpoint: E, options: FormOptions<E, V>) {
  const [values, setValues] = useState(options.initial);
  const [messages, setMessages] = useState<Messages>({});
  const { run, busy } = useCall(endpoint, {
    invalid_input: (failure) => setMessages(failure.fields),
    ...options.claims,
  });

  const set = (name: keyof V & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setMessages(({ [name]: _gone, ...rest }) => rest);
  };

  const submit = async () => {
    const checked = check(endpoint, options.toInput?.(values) ?? values);
    const between = Object.entries(options.rules?.(values) ?? {}).filter(([, text]) => text);
    const found: Messages = {
      ...('messages' in checked ? checked.messages : {}),
      ...(Object.fromEntries(between) as Record<string, string>),
    };
    setMessages(found);
    if ('messages' in checked || between.length > 0) return;
    const output = await run(checked.input);
    if (output !== undefined) options.onDone(output, values);
  };

  const changed = Object.entries(values).some(([name, value]) => value !== options.initial[name]);
  return { values, set, messages, submit, busy, changed, reset: () => setValues(options.initial) };
}
