import type { Endpoint } from '#contract/endpoint.ts';
import type { Visitor } from '#server/testing/visitor.ts';

function formOf(input: Record<string, unknown>) {
  const form = new FormData();
  for (const [key, value] of Object.entries(input))
    form.set(key, value instanceof File ? value : String(value));
  return form;
}

/** Sends any call with its input, as its endpoint says: in the path, the query, a form or a JSON body. */
export function send(visitor: Visitor, { method, path, body }: Endpoint, input: Record<string, unknown>) {
  const inPath = Object.keys(input).filter((key) => path.includes(`:${key}`));
  const filled = inPath.reduce((url, key) => url.replace(`:${key}`, String(input[key])), path as string);
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !inPath.includes(key)));
  if (body === 'form') return visitor.send(method, filled, { raw: formOf(rest) });
  if (method !== 'GET') return visitor.send(method, filled, { body: rest });
  const query = new URLSearchParams(rest as Record<string, string>).toString();
  return visitor.get(query === '' ? filled : `${filled}?${query}`);
}
