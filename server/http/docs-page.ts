import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import { escapeHtml as html } from '#server/html.ts';
import type { SecurityHeaders } from './headers.ts';
import { serveFixedText } from './fixed-text.ts';
import { inEnglish } from '#server/language.ts';
import { openApi, type OpenApi } from './openapi.ts';

type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/** A schema as indented text, one field per line. */
function outline(schema: Schema, depth = 0): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((option) => outline(option, depth)).join(' | ');
  if (schema.items) return `[${outline(schema.items, depth)}]`;
  if (!schema.properties) return schema.format ?? [schema.type ?? 'any'].flat().join(' | ');
  const pad = '  '.repeat(depth + 1);
  const lines = Object.entries(schema.properties).map(
    ([name, field]) =>
      `${pad}${name}${schema.required?.includes(name) ? '' : '?'}: ${outline(field, depth + 1)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

const block = (title: string, text: string) =>
  `<h4>${title}</h4><pre tabindex="0" aria-label="${title}">${html(text)}</pre>`;

type Content = Record<string, { schema: Schema; example?: unknown }>;
const example = (title: string, value: unknown) => {
  if (value === undefined) return '';
  return block(title, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
};

type Parameter = { readonly name: string; readonly in: string; readonly example?: unknown };
function requestLine(path: string, parameters: readonly Parameter[]): string {
  let url = path;
  for (const { name, example } of parameters) url = url.replace(`{${name}}`, String(example));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length > 0 ? `GET ${url}?${query.join('&')}` : `GET ${url}`;
}

function answerBlocks(content: Content | undefined): string {
  const envelope = content?.['application/json'];
  if (envelope)
    return (
      block('Response', outline(envelope.schema.properties?.['response'] ?? {})) +
      example('Example of an answer', envelope.example)
    );
  return `<h4>Response</h4><p>${content ? Object.keys(content).join(' or ') : '204, no body'}</p>`;
}

function operationSection(path: string, method: string, operation: OpenApi['paths'][string][string]): string {
  const [[bodyType, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  const query: Schema | undefined = operation.parameters && {
    properties: Object.fromEntries(operation.parameters.map(({ name, schema }) => [name, schema as Schema])),
    required: operation.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const success = (operation.responses as Record<string, { content: Content }>)['200']?.content;
  const refusals = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(
      ([status, { description }]) =>
        `<dt>${status}</dt><dd>${html(description).replaceAll('\n', '<br>')}</dd>`,
    );
  return `<section id="${html(operation.operationId)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${html(path)}</code></h3>
<p>${html(operation.summary)}${operation.security ? ' <small>Needs a session.</small>' : ''}</p>
${query ? block('Query', outline(query)) : ''}${body ? block(bodyType === 'application/json' ? 'Body' : `Body, ${bodyType}`, outline(body.schema)) : ''}
${example('Example of a request', body?.example)}${query ? example('Example of a request', requestLine(path, operation.parameters ?? [])) : ''}
${answerBlocks(success)}
<details><summary>Refusals</summary><dl>${refusals.join('')}</dl></details>
</section>`;
}

export function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const features = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const of = (feature: string) => operations.filter(({ operation }) => operation.tags.includes(feature));
  const contents = features.map(
    (feature) =>
      `<li>${html(feature)}<ul>${of(feature)
        .map(
          ({ path, method, operation }) =>
            `<li><a href="#${html(operation.operationId)}">${method.toUpperCase()} ${html(path)}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = features.map(
    (feature) =>
      `<h2>${html(feature)}</h2>${of(feature)
        .map(({ path, method, operation }) => operationSection(path, method, operation))
        .join('')}`,
  );
  return framed(
    `${product.name} API`,
    `<body><nav aria-label="Calls"><ul>${contents.join('')}</ul></nav><main><h1>${html(product.name)} API</h1>
<p>Success is <code>{"success": true, "response": …}</code>; a refusal is <code>{"success": false, "error": {"code", "details", "fields"?}}</code>
with the status below. The machine-readable form is <a href="/api/openapi.json">openapi.json</a>.</p>
<h2 id="authentication">Authentication</h2>
<p>Signing up and signing in set the cookie <code>${html(document.components.securitySchemes.session.name)}</code> (HttpOnly, SameSite=Lax), which
every call marked “Needs a session” is sent with; without it the answer is 401 <code>not_signed_in</code>. What its holder may do is
looked up at each call. Calls that change something are taken from pages of this origin only. Sensitive ones ask for a proof of
identity that is not older than a few minutes: <code>reauthentication_required</code> leads to <code>POST /api/reauthenticate</code>.</p>
<p>An application’s server has no cookie: it redeems the one-time code of its visitor at <code>POST /api/redeem</code>,
with its own secret.</p>
${sections.join('')}</main></body>`,
  );
}

export const framed = (
  title: string,
  body: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${html(title)}</title>
<link rel="stylesheet" href="/api/docs/style.css"></head>${body}</html>`;

function guidePage() {
  const guide = readFileSync(path.join(import.meta.dirname, '../../docs/applications.md'), 'utf8');
  const text = guide.replace(/^# .*\n+/, '').replaceAll(PRODUCT_NAME, product.name);
  return framed(
    `${product.name} applications`,
    `<body class="single"><main class="wide"><h1>Applications</h1><pre class="words" tabindex="0" aria-label="Guide">${html(text)}</pre></main></body>`,
  );
}

const docsStyle = `:root{color-scheme:light dark;--ink:light-dark(#292520,#f0ece6);--quiet:light-dark(#5f594f,#b3aca1);--line:light-dark(#e4e1db,#38342f);--paper:light-dark(#faf9f6,#171512);--surface:light-dark(#fff,#201d1a);--accent:light-dark(#00665e,#5ec8b8)}
*{box-sizing:border-box}body{margin:0;overflow-wrap:anywhere;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;grid-template-columns:290px minmax(0,1fr)}
nav{padding:28px 24px;border-right:1px solid var(--line);font-size:14px;position:sticky;top:0;height:100vh;overflow:auto}nav ul{list-style:none;margin:0;padding:0 0 0 8px}nav li{padding:3px 0}
main{padding:28px 40px 80px;max-width:900px;min-width:0}h1{font-size:26px;margin:0 0 8px}h2{font-size:20px;margin:36px 0 8px}h3{font-size:16px;margin:0;overflow-wrap:anywhere}h4{margin:14px 0 4px;font-size:13px;color:var(--quiet)}
section{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:18px 22px;margin:14px 0}a{color:var(--accent)}pre{margin:0;padding:12px;background:var(--paper);border:1px solid var(--line);border-radius:7px;overflow:auto;font-size:13px}
pre.words{white-space:pre-wrap;overflow-wrap:anywhere}.method{font-size:12px;font-weight:600;color:var(--accent);border:1px solid currentColor;border-radius:7px;padding:2px 7px}dt{font-weight:600;margin-top:8px}dd{margin:0}small,.quiet{color:var(--quiet)}summary{margin-top:12px;cursor:pointer}
ul.mails{list-style:none;padding:0}ul.mails li{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:14px 20px;margin:10px 0}iframe{width:100%;height:640px;border:1px solid var(--line);border-radius:14px}body.single{display:block}body.single main{margin:auto}body.single .wide{max-width:1080px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}@media(max-width:900px){body{display:block}nav{position:static;height:auto;border:0}main{padding:20px}}`;

export function serveDocs(app: FastifyInstance, publicUrl: URL, headers: SecurityHeaders) {
  const document = () => inEnglish(() => openApi(publicUrl));
  const json = 'application/json; charset=utf-8';
  serveFixedText(app, '/api/openapi.json', { text: () => JSON.stringify(document()), type: json });
  const asPage = { type: 'text/html; charset=utf-8', headers: headers.plain };
  serveFixedText(app, '/api/docs', { text: () => docsPage(document()), ...asPage });
  serveFixedText(app, '/api/docs/applications', { text: guidePage, ...asPage });
  serveFixedText(app, '/api/docs/style.css', { text: () => docsStyle, type: 'text/css' });
}
