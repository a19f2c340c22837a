import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import { UPLOAD_TYPES } from '#contract/split-by-bytes/area-limits.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import { product } from '#contract/product.ts';
import { summaries } from '#contract/summaries.ts';
import { uploadedFile } from '#contract/drive/calls.ts';
import { timeText } from '#contract/time.ts';
import type { InputSchema } from '#contract/wire.ts';
import { cookieName } from './cookies.ts';
import { exampleOf } from './examples.ts';

type Schema = Record<string, unknown>;

const schemaOf = (type: z.core.$ZodType): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === timeText) Object.assign(jsonSchema, { format: 'date-time', pattern: undefined });
      if (zodSchema === uploadedFile) Object.assign(jsonSchema, { type: 'string', format: 'binary' });
    },
  });
  return schema;
};

/** Whether a call takes an organization's id, which has a refusal of its own. */
const namesOrganization = ({ input }: Endpoint) => (input as InputSchema).ours('org_id') === 'orgId';

export const refusalsOfEvery = (endpoint: Endpoint): RefusalName[] => [
  'malformed_request',
  'invalid_input',
  ...(namesOrganization(endpoint) ? (['org_id_invalid'] as const) : []),
  'not_signed_in',
  'signed_in_as_another',
  ...(endpoint.access === 'admin' ? (['not_allowed'] as const) : []),
  ...(endpoint.method === 'GET' && !endpoint.alsoWrites ? [] : (['cross_site_request'] as const)),
  ...(endpoint.method === 'GET' ? [] : (['unsupported_media_type', 'payload_too_large'] as const)),
  ...(endpoint.body === 'form' ? (['file_too_large', 'too_many_requests'] as const) : []),
  'misdirected_request',
  'internal_error',
  'unavailable',
];

type RefusalResponse = {
  description: string;
  content: { 'application/json': { schema: Schema; examples: Record<string, { value: object }> } };
};
function refusalsOf(endpoint: Endpoint) {
  const byStatus: Record<string, RefusalResponse> = {};
  for (const name of new Set([...endpoint.failures, ...refusalsOfEvery(endpoint)])) {
    const status = String(errors[name].status);
    const description = `\`${codeOf(name)}\`: ${errorText[name]}`;
    const earlier = byStatus[status];
    const value = { success: false, error: { code: codeOf(name), details: errorText[name] } };
    const examples = { ...earlier?.content['application/json'].examples, [name]: { value } };
    byStatus[status] = {
      description: earlier ? `${earlier.description}\n${description}` : description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, examples } },
    };
  }
  return byStatus;
}
const withExample = (schema: Schema, example: unknown) =>
  example === undefined ? { schema } : { schema, example };

function contentOf({ answers, output }: Endpoint): Record<string, { schema: Schema; example?: unknown }> {
  if (answers === 'image') return Object.fromEntries(UPLOAD_TYPES.map((type) => [type, { schema: {} }]));
  if (answers === 'file') return { 'text/csv': { schema: {} }, 'application/json': { schema: {} } };
  const properties = { success: { const: true }, response: schemaOf(output) };
  const schema = { type: 'object', required: ['success', 'response'], properties };
  return { 'application/json': withExample(schema, { success: true, response: exampleOf(output) }) };
}

/** Fields to leave out of an example: the schema allows them beside others, but the call does not. */
const eitherOr: Record<string, readonly string[]> = {
  'stepUp.reauthenticate': ['otp'],
  'members.answer': ['id'],
  'onward.redirect': ['org_id'],
  'organizations.create': ['email_id'],
  'roles.update': ['permission'],
};

function operation(endpoint: Endpoint, feature: string, name: string, summary: string) {
  const input = schemaOf(endpoint.input) as { properties?: Record<string, Schema>; required?: string[] };
  const inQuery = endpoint.method === 'GET';
  const example =
    endpoint.body === 'form' ? undefined : exampleOf(endpoint.input, eitherOr[`${feature}.${name}`]);
  const exampleFields = (example ?? {}) as Record<string, unknown>;
  const parameters = Object.entries(input.properties ?? {}).map(([key, schema]) => ({
    name: key,
    in: endpoint.path.includes(`:${key}`) ? 'path' : 'query',
    required: input.required?.includes(key) ?? false,
    schema,
    example: exampleFields[key],
  }));
  const empty = endpoint.answers === 'nothing';
  const bodyType = endpoint.body === 'form' ? 'multipart/form-data' : 'application/json';
  return {
    operationId: `${feature}.${name}`,
    summary,
    tags: [feature],
    ...(endpoint.access === 'public' ? {} : { security: [{ session: [] }] }),
    ...(inQuery && parameters.length > 0 && { parameters }),
    ...(!inQuery &&
      !empty && {
        requestBody: {
          required: (input.required ?? []).length > 0,
          content: { [bodyType]: withExample(input, example) },
        },
      }),
    responses: {
      ...(empty
        ? { 204: { description: 'Done; no body' } }
        : { 200: { description: 'Done', content: contentOf(endpoint) } }),
      ...refusalsOf(endpoint),
    },
  };
}

const texts: Record<string, Record<string, string>> = summaries;

export function openApi(publicUrl: URL) {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [feature, endpoints] of Object.entries(api))
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const path = (paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] ??= {});
      path[endpoint.method.toLowerCase()] = operation(endpoint, feature, name, texts[feature]?.[name] ?? '');
    }
  return {
    openapi: '3.1.0',
    info: {
      title: product.name,
      version: '0.1.0',
      description: 'Accounts and organizations of a business suite.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl.origin }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName('session', publicUrl.protocol === 'https:'),
          description: 'Set by signing up or in; HttpOnly, so a script never holds it.',
        },
      },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['success', 'error'],
          properties: {
            success: { const: false },
            error: {
              type: 'object',
              required: ['code', 'details'],
              properties: {
                code: { type: 'string' },
                details: { type: 'string', description: 'text for a person' },
                fields: { type: 'object', additionalProperties: { type: 'string' } },
                reason: { enum: ['deactivated', 'restricted'] },
                until: { type: 'string', format: 'date-time' },
              },
            },
          },
        },
      },
    },
  };
}
export type OpenApi = ReturnType<typeof openApi>;
