import { type FormEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import type { InputSchema } from '#contract/wire.ts';
import type { CallError } from '#web/lib/call.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';

type Values = Record<string, string>;
type Messages = Readonly<Record<string, string>>;

/** Runs the call's input rules on form values. Returns the input, or a message for each invalid field. */
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
  /** The call's input, if it differs from the values. Undefined keys are left out. */
  toInput?: (values: V) => object;
  /** Rules across fields, such as two passwords that must be equal. */
  rules?: (values: V) => Partial<Record<keyof V, string>>;
  /** Whether there is nothing to send although every rule holds. */
  isSettled?: (values: V) => boolean;
  /** Codes whose text is shown beside a field. */
  beside?: Readonly<Record<string, keyof V & string>>;
  /** Codes that the page shows in the form as its `refusal` instead of an alert. */
  above?: readonly string[];
  claims?: Claims;
  /** The stored values. They replace the sent ones, except in fields edited meanwhile. */
  stored?: (output: Output<E>, values: V) => V;
  /** Runs after success. While its promise is pending the form stays busy, so that nothing is sent twice. */
  onDone: (output: Output<E>, values: V) => void | Promise<void>;
};

/**
 * A form bound to one call: values, messages, and a submit that validates, calls, and keeps the input on
 * failure.
 */
export function useForm<E extends Endpoint, V extends Values>(endpoint: E, options: FormOptions<E, V>) {
  const { beside = {}, above = [] } = options;
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(options.initial);
  const [messages, setMessages] = useState<Messages>({});
  const [refusal, setRefusal] = useState<CallError>();
  const [finishing, setFinishing] = useState(false);

  /** Shows the messages and focuses the first. `flushSync`, because only a rendered field can be focused. */
  const mark = (found: Messages) => {
    flushSync(() => setMessages(found));
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const refuse = (failure: CallError) => {
    const field = beside[failure.code];
    if (above.includes(failure.code)) setRefusal(failure);
    if (field !== undefined) mark({ [field]: failure.message });
  };
  const own = [...Object.keys(beside), ...above].map((code) => [code, refuse] as const);
  const { run, busy } = useCall(endpoint, {
    invalid_input: (failure) => mark(failure.fields),
    ...Object.fromEntries(own),
    ...options.claims,
  });

  const set = (name: keyof V & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setMessages(({ [name]: _gone, ...rest }) => rest);
  };

  /** Replaces the former values with the stored ones, except where the person typed something else. */
  const takeOver = (former: V, stored: V) => {
    const filterEntries = <T>(all: Readonly<Record<string, T>>, isKept: (name: string, one: T) => boolean) =>
      Object.fromEntries(Object.entries(all).filter(([name, one]) => isKept(name, one)));
    setValues((now) => ({ ...stored, ...filterEntries(now, (name, value) => value !== former[name]) }));
    // Drop messages of fields whose value was replaced.
    setMessages((all) => filterEntries(all, (name) => stored[name] === former[name]));
  };

  /** The props of a field. */
  const field = (name: keyof V & string) => ({
    name,
    value: values[name],
    error: messages[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });

  /**
   * On a prerendered page, people may type before this script loads. Such fields differ from their default.
   */
  const takeTyped = useEffectEvent(() => {
    for (const field of element.current?.querySelectorAll('input') ?? [])
      if (field.name in values && field.value !== field.defaultValue) set(field.name, field.value);
  });
  useLayoutEffect(() => takeTyped(), []);

  const submit = async () => {
    if (finishing) return;
    const checked = check(endpoint, options.toInput?.(values) ?? values);
    const between = Object.entries(options.rules?.(values) ?? {}).filter(([, text]) => text);
    setRefusal(undefined);
    mark({
      ...('messages' in checked ? checked.messages : {}),
      ...(Object.fromEntries(between) as Record<string, string>),
    });
    if ('messages' in checked || between.length > 0 || options.isSettled?.(values)) return;
    const output = await run(checked.input);
    if (output === undefined) return;
    if (options.stored) takeOver(values, options.stored(output, values));
    await whileBusy(setFinishing, async () => options.onDone(output, values));
  };

  /** The props of the `<form>`. Calling `submit` alone does not focus the first message. */
  const props = {
    ref: element,
    noValidate: true,
    // Submitted before this script loads, a `get` form would put its values into the address. `dialog` does
    // nothing.
    method: 'dialog',
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      void submit();
    },
  };
  const changed = Object.entries(values).some(([name, value]) => value !== options.initial[name]);
  const reset = () => setValues(options.initial);
  return {
    props,
    values,
    set,
    takeOver,
    field,
    messages,
    refusal,
    submit,
    busy: busy || finishing,
    changed,
    reset,
  };
}
