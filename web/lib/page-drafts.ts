import { useEffect } from 'react';
import { PERSON_HEADER } from '#contract/sessions/person-header.ts';
import { callHeaders } from './call.ts';
import { forgetDraft, holdDraft, keepDrafts, readDraft } from './drafts.ts';
import { keptDrafts } from './stored-text.ts';

const here = (form: string) => location.pathname + form;
const person = () => callHeaders[PERSON_HEADER] ?? '';

/** The drafts of the forms on this page, for its person. */
export const pageDrafts = {
  read: (form: string) => readDraft(keptDrafts, person(), here(form)),
  forget: (form: string) => forgetDraft(keptDrafts, person(), here(form)),
  hold: ({ form, values }: Parameters<typeof holdDraft>[0]) => holdDraft({ form: here(form), values }),
  /** Keeps what the forms hold until they open again. */
  keep: () => keepDrafts(keptDrafts, person()),
};

/** Holds values of a form without `useForm` that differ from the stored ones. The form has read what was kept before. */
export function useDraft(form: string, values: Readonly<Record<string, string>> | undefined) {
  useEffect(() => pageDrafts.forget(form), [form]);
  useEffect(() => values && pageDrafts.hold({ form, values }));
}
