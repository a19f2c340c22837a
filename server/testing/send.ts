import type { Endpoint } from '#contract/endpoint.ts';
import type { Visitor } from './visitor.ts';

function formOf(input: Record<string, unknown>) {
  const form = new FormData();
  for (const [key, value] of Object.entries(input))
    form.set(key, value instanceof File ? value : String(value));
  return form;
}

export function send(visitor: Visitor, { method, path, body }: Endpoint, input: Record<string, unknown>) {
  const inPath = Object.keys(input).filter((key) => path.includes(`:${key}`));
  const url = inPath.reduce((text, key) => text.replace(`:${key}`, String(input[key])), path as string);
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !inPath.includes(key)));
  if (body === 'form') return visitor.send(method, url, { raw: formOf(rest) });
  if (method !== 'GET') return visitor.send(method, url, { body: rest });
  const query = new URLSearchParams(rest as Record<string, string>).toString();
  return visitor.get(query === '' ? url : `${url}?${query}`);
}
