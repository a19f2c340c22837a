import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import type { InputSchema } from '#contract/wire.ts';
import type { CallError } from './call.ts';
import { type Claims, useCall } from './use-call.ts';
import { whileBusy } from './while-busy.ts';

type Values = Record<string, string>;
type Messages = Readonly<Record<string, string>>;

type Drafts = {
  read: (form: string) => Values | undefined;
  forget: (form: string) => void;
  hold: (draft: { form: string; values: Values }) => () => void;
};
/** Keeps typed text when the session ends. Only the signed-in area registers it. */
let drafts: Drafts | undefined;
export const draftWith = (area: Drafts) => {
  drafts = area;
};

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
  isSettled?: (values: V) => boolean;
  beside?: Readonly<Record<string, keyof V & string>>;
  /** Codes that the page shows in the form as its `refusal` instead of an alert. */
  above?: readonly string[];
  claims?: Claims;
  /** Runs after success. While its promise is pending the form stays busy, so that nothing is sent twice. */
  onDone: (output: Output<E>, values: V) => void | Promise<void>;
};

/** A form bound to one call. Its submit validates, calls, and keeps the input on failure. */
export function useForm<E extends Endpoint, V extends Values>(endpoint: E, options: FormOptions<E, V>) {
  const { beside = {}, above = [] } = options;
  const element = useRef<HTMLFormElement>(null);
  const form = JSON.stringify([endpoint.method, endpoint.path, options.initial]);
  const [values, setValues] = useState(() => ({ ...options.initial, ...drafts?.read(form) }));
  const [messages, setMessages] = useState<Messages>({});
  const [refusal, setRefusal] = useState<CallError>();
  const [finishing, setFinishing] = useState(false);

  /** Shows the messages and focuses the first. `flushSync`, because only a rendered field can be focused. */
  const showMessages = (newMessages: Messages) => {
    flushSync(() => setMessages(newMessages));
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const refuse = (failure: CallError) => {
    const field = beside[failure.code];
    if (above.includes(failure.code)) setRefusal(failure);
    if (field !== undefined) showMessages({ [field]: failure.message });
  };
  const fieldClaims = [...Object.keys(beside), ...above].map((code) => [code, refuse] as const);
  const { run, busy } = useCall(endpoint, {
    invalid_input: (failure) => showMessages(failure.fields),
    ...Object.fromEntries(fieldClaims),
    ...options.claims,
  });

  const set = (name: keyof V & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setMessages(({ [name]: _old, ...rest }) => rest);
  };

  const field = (name: keyof V & string) => ({
    name,
    value: values[name],
    error: messages[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });

  /** Takes over text that came without an event: typed before this script loaded, or by a password manager. */
  const takeUnseenInput = () => {
    for (const field of element.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input, textarea',
    ) ?? [])
      if (field.name in values && field.value !== field.defaultValue) set(field.name, field.value);
  };
  const isChanged = Object.entries(values).some(([name, value]) => value !== options.initial[name]);
  const takeEarlyInput = useEffectEvent(() => {
    drafts?.forget(form);
    takeUnseenInput();
  });
  useLayoutEffect(() => takeEarlyInput(), []);
  useEffect(() => (isChanged ? drafts?.hold({ form, values }) : undefined));

  const send = async () => {
    if (finishing) return;
    const result = check(endpoint, options.toInput?.(values) ?? values);
    const ruleMessages = Object.entries(options.rules?.(values) ?? {}).filter(([, text]) => text);
    setRefusal(undefined);
    showMessages({
      ...('messages' in result ? result.messages : {}),
      ...(Object.fromEntries(ruleMessages) as Record<string, string>),
    });
    if ('messages' in result || ruleMessages.length > 0 || options.isSettled?.(values)) return;
    const output = await run(result.input);
    if (output === undefined) return;
    await whileBusy(setFinishing, async () => options.onDone(output, values));
  };

  const latest = useRef(send);
  useLayoutEffect(() => {
    latest.current = send;
  });

  const props = {
    ref: element,
    noValidate: true,
    // Before this script loads, submitting a `get` form would put its values into the address.
    method: 'dialog',
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      flushSync(takeUnseenInput);
      void latest.current();
    },
  };
  return {
    props,
    values,
    set,
    setValues,
    setMessages,
    field,
    messages,
    refusal,
    busy: busy || finishing,
    isChanged,
  };
}
