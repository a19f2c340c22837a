import type { Endpoint } from '#contract/endpoint.ts';
import { areaText } from '#contract/text/area.ts';
import { check, type FormOptions, useForm } from '#web/lib/form.ts';
import { showAlert } from '#web/lib/alert-store.ts';

/** Warns that there is nothing to save. */
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
