type Values = Readonly<Record<string, string>>;
/** A form on the page: a name that only the same form with the same stored values has, and what is typed. */
type Draft = { readonly form: string; readonly values: Values };

type Place = { read: () => string | null; keep: (text: string) => void; forget: () => void };

const typedDrafts = new Set<Draft>();

export function holdDraft(draft: Draft) {
  typedDrafts.add(draft);
  return () => void typedDrafts.delete(draft);
}

export const hasDraft = () => typedDrafts.size > 0;

const hasSecret = ({ values }: Draft) =>
  Object.keys(values).some((name) => /password|otp|code|secret/i.test(name));

export function keepDrafts(place: Place, person: string) {
  const forms = [...typedDrafts]
    .filter((draft) => !hasSecret(draft))
    .map(({ form, values }) => [form, values]);
  if (forms.length > 0) place.keep(JSON.stringify({ person, forms: Object.fromEntries(forms) as object }));
}

type Kept = { person: string; forms: Record<string, Values> };
const keptOf = (place: Place) => JSON.parse(place.read() ?? 'null') as Kept | null;

export function readDraft(place: Place, person: string, form: string): Values | undefined {
  const kept = keptOf(place);
  return kept?.person === person ? kept.forms[form] : undefined;
}

/** Forgets what was typed into a form that is open again, and everything that another person typed. */
export function forgetDraft(place: Place, person: string, form: string) {
  const kept = keptOf(place);
  if (!kept) return;
  const { [form]: _form, ...forms } = kept.forms;
  if (kept.person !== person || Object.keys(forms).length === 0) place.forget();
  else place.keep(JSON.stringify({ person, forms }));
}
