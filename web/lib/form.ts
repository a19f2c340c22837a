import { type FormEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import type { InputSchema } from '#contract/wire.ts';
import type { CallError } from '#web/lib/call.ts';
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
  /** Codes whose text belongs beside a field. */
  beside?: Readonly<Record<string, keyof V & string>>;
  /** Codes that the page shows in the form as its `refusal`, instead of an alert. */
  above?: readonly string[];
  claims?: Claims;
  /** What is stored then: it takes the place of what was sent, unless something else was typed meanwhile. */
  stored?: (output: Output<E>, values: V) => V;
  /** What follows; while a promise of it is open the form stays busy, so that nothing is sent twice on the way out. */
  onDone: (output: Output<E>, values: V) => void | Promise<void>;
};

/** A form bound to one call: values, messages, and a submit that checks, calls and keeps every input on failure. */
export function useForm<E extends Endpoint, V extends Values>(endpoint: E, options: FormOptions<E, V>) {
  const { beside = {}, above = [] } = options;
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(options.initial);
  const [messages, setMessages] = useState<Messages>({});
  const [refusal, setRefusal] = useState<CallError>();
  const [finishing, setFinishing] = useState(false);

  /** Shows the messages and takes the person to the first; only a drawn mark can be found. */
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

  /** Puts what is stored in the place of what was, where nothing else was typed. */
  const takeOver = (former: V, stored: V) => {
    const kept = <T>(all: Readonly<Record<string, T>>, isKept: (name: string, one: T) => boolean) =>
      Object.fromEntries(Object.entries(all).filter(([name, one]) => isKept(name, one)));
    setValues((now) => ({ ...stored, ...kept(now, (name, value) => value !== former[name]) }));
    // What was said of a value that another takes the place of is said no more.
    setMessages((all) => kept(all, (name) => stored[name] === former[name]));
  };

  /** For the field of that name, whatever it looks like. */
  const field = (name: keyof V & string) => ({
    name,
    value: values[name],
    error: messages[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });

  /** Of a page drawn ahead, fields may have been filled in before this script came: they differ from how they were drawn. */
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
    if ('messages' in checked || between.length > 0) return;
    const output = await run(checked.input);
    if (output === undefined) return;
    if (options.stored) takeOver(values, options.stored(output, values));
    setFinishing(true);
    await options.onDone(output, values);
    setFinishing(false);
  };

  /** For the `<form>` itself; with `submit` alone the first message is not focused. */
  const props = {
    ref: element,
    noValidate: true,
    // Pressed before this script came, a form would go into the address bar; as of a dialog it stays where it is.
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
