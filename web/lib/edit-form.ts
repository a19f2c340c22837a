import type { Endpoint } from '#contract/endpoint.ts';
import { areaText } from '#contract/text/area.ts';
import { check, type FormOptions, useForm } from '#web/lib/form.ts';
import { showAlert } from '#web/lib/alert-store.ts';

/** Warns that there is nothing to save. */
export const warnNoChanges = () => showAlert({ kind: 'warning', text: areaText.noChanges });

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
