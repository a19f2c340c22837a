import { useState } from 'react';
import type { Endpoint, Output } from '#contract/endpoint.ts';
import { areaText } from '#words/area.ts';
import { check, type FormOptions, useForm } from './form.ts';
import { showAlert } from './alert-store.ts';
import { useUnsaved } from './unsaved.ts';

export const warnNoChanges = () => showAlert({ kind: 'warning', text: areaText.noChanges });

/** The values that differ from the stored ones. The others are not sent, because another admin may have changed them. */
export const changedValues = <V extends object>(values: Partial<V>, stored: V) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => String(value) !== String(stored[name as keyof V])),
  );

/** A form of stored values. Saving it unchanged shows a warning and sends nothing. */
export function useEditForm<E extends Endpoint, V extends Record<string, string>>(
  endpoint: E,
  options: FormOptions<E, V>,
) {
  const inputText = (values: V) => JSON.stringify(check(endpoint, options.toInput?.(values) ?? values));
  return useForm(endpoint, {
    ...options,
    isSettled: (values) => {
      const isSame = inputText(values) === inputText(options.initial);
      if (isSame) warnNoChanges();
      return isSame;
    },
  });
}

const filterEntries = <T>(all: Readonly<Record<string, T>>, isKept: (name: string, value: T) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => isKept(name, value)));

type CardOptions<E extends Endpoint, V extends Record<string, string>> = FormOptions<E, V> & {
  stored: (output: Output<E>, values: V) => V;
};

/** Leaving does not lose it without a question. Newly stored values replace typed ones, except in edited fields. */
export function useCardForm<E extends Endpoint, V extends Record<string, string>>(
  endpoint: E,
  { stored, onDone, ...options }: CardOptions<E, V>,
) {
  const { initial } = options;
  const form = useEditForm(endpoint, {
    ...options,
    onDone: (output, values) => {
      replace(values, stored(output, values));
      return onDone(output, values);
    },
  });
  const replace = (former: V, latest: V) => {
    form.setValues((now) => ({ ...latest, ...filterEntries(now, (name, value) => value !== former[name]) }));
    // Drop messages of fields whose value was replaced.
    form.setMessages((all) => filterEntries(all, (name) => latest[name] === former[name]));
  };
  const [baseline, setBaseline] = useState(initial);
  if (Object.keys(initial).some((name) => initial[name] !== baseline[name])) {
    setBaseline(initial);
    replace(baseline, initial);
  }
  useUnsaved(form.isChanged);
  return form;
}
