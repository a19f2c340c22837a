import type { ComponentType } from 'react';
import type { RefusalName } from '#contract/errors.ts';
import { fillText } from '#contract/in-words.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { changedValues, useEditForm } from '#web/lib/edit-form.ts';
import type { FormOptions } from '#web/lib/form.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import { type Entry, type Registry, useChanged, type WithSecret } from './registry.ts';

type Values = Record<string, string>;
type Form<V extends Values> = ReturnType<typeof useEditForm<Registry<Entry>['add'], V>>;
export type FieldsProps<E extends Entry, V extends Values> = {
  form: Form<V>;
  orgId: OrgId;
  entry?: E | undefined;
};

export type FormProps<E extends Entry> = {
  orgId: OrgId;
  /** The entry to change. Without one the dialog adds one. */
  entry?: E | undefined;
  onSecret: (entry: E, secret: string | null) => void;
  onClose: () => void;
};
type Props<E extends Entry, V extends Values> = FormProps<E> & {
  registry: Registry<E>;
  initial: V;
  inputOf: (values: V) => object;
  /** Values that a call sends besides the fields of the form. */
  added?: (values: V) => object;
  changed?: (values: V) => object | false;
  rules: NonNullable<FormOptions<Registry<E>['add'], V>['rules']>;
  above: readonly RefusalName[];
  Fields: ComponentType<FieldsProps<E, V>>;
};

export function EntryFormDialog<E extends Entry, V extends Values>(props: Props<E, V>) {
  const { registry, orgId, entry, initial, inputOf, added, changed, rules, above, Fields } = props;
  const { text } = registry;
  const refresh = useChanged(registry, orgId);
  const form = useEditForm(entry ? registry.change : registry.add, {
    initial,
    toInput: (values) =>
      entry
        ? {
            orgId,
            id: entry.id,
            ...changedValues(inputOf(values), inputOf(initial)),
            ...changed?.(values),
          }
        : { orgId, ...inputOf(values), ...added?.(values) },
    rules,
    above,
    onDone: async (answer: E | WithSecret<E>) => {
      const isNew = 'secret' in answer;
      await refresh(isNew ? undefined : answer);
      if (isNew) return props.onSecret(answer.entry, answer.secret);
      props.onClose();
      showAlert({ kind: 'success', text: text.saved });
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={props.onClose}
      filled={form.isChanged}
      size="wide"
      title={entry ? fillText(text.editTitle, { name: registry.nameOf(entry) }) : text.addTitle}
      act={entry ? text.save : text.add}
    >
      <FieldGrid>
        <Fields form={form} orgId={orgId} entry={entry} />
      </FieldGrid>
    </FormDialog>
  );
}
