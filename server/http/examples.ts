import * as z from 'zod/mini';
import { activityCursor } from '#contract/activity/calls.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { recoveryCode } from '#contract/sign-in/other-steps.ts';
import { rememberedBrowserId } from '#contract/sign-in/remembered-browsers.ts';
import { otp } from '#contract/split-by-bytes/mailed-fields.ts';
import { timeText } from '#contract/time.ts';
import { messageId } from '#contract/webhooks/deliveries.ts';

type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  minimum?: number;
};

const RANDOM = 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDQzIGxldHRlcnM';
const UUID = '7d0f1c6e-6f0b-4c5a-9d5e-2b8f4f1f9a3c';

/** Examples of fields whose wire name says less than their rule. */
const byRule = new Map<z.core.$ZodType, string>([
  [timeText, '2026-03-02T09:00:00Z'],
  [otp, '1234567890'.slice(0, OTP_CHARACTERS)],
  [recoveryCode, '4F7KM-2QX9A'],
  [activityCursor, '1772442000000-7'],
  [messageId, `msg_${UUID}`],
  [rememberedBrowserId, UUID],
]);

/** Examples of all other texts and open values, by the wire name. The first match counts. */
const byName: readonly (readonly [RegExp, unknown])[] = [
  [/email/i, 'maya@northwind.example'],
  [/password/, 'sturdy arch 42'],
  [/first_name/, 'Maya'],
  [/last_name/, 'Lindqvist'],
  [/^full_?name|_by$|^(helper|person|signed_in_as)$/i, 'Maya Lindqvist'],
  [/^role$/, 'Admin'],
  [/^(role_)?name$/, 'Sales'],
  [/designation/, 'Head of Sales'],
  [/^language$/i, 'en'],
  [/^organization$|^OrgName$/, 'Northwind Traders'],
  [/^org$|url_?name/i, 'northwindtraders'],
  [/^contact$/, 'm•••@northwind.example'],
  [/^issuer$|url|site|icon(?!_type)|picture/i, 'https://northwind.example/'],
  [/^domain$|^host$/, 'northwind.example'],
  [/zone/i, 'Europe/Stockholm'],
  [/country/i, 'Sweden'],
  [/ip_address/, '203.0.113.7'],
  [/contact_number/, '+46 70 123 45 67'],
  [/^path$/, 'myapps'],
  [/^next$|path/, '/7/myprofile'],
  [/^search$/, 'maya'],
  [/^date$/, '2026-03-02'],
  [/^time$/, '09:00:00.000Z'],
  [/^group_id$/, UUID],
  [/digest|code|secret|file_id|^proof$/, RANDOM],
  [/^holders$/, '0f'.repeat(32)],
  [/limit/, '100'],
  [/(^|_)id$|^(until|after)$/i, '7'],
  [/^(module|activity_type|action|icon_type)$/, '1'],
  [/application/i, 'Signwell'],
  [/^user_names$/, { 7: 'Maya Lindqvist' }],
  [/^role_info$/, { 3: 'Sales' }],
  [/^information$/, { designation: ['Clerk', 'Head of Sales'] }],
  [/^options$/, { challenge: RANDOM }],
];

/** A value that the schema accepts: each field shows what its rule or its name stands for. */
export function exampleOf(schema: z.core.$ZodType, without: readonly string[] = []): unknown {
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const word = byRule.get(zodSchema);
      if (word !== undefined) jsonSchema.const = word;
    },
  }) as Schema;
  for (const field of without) delete shape.properties?.[field];
  return filled(shape, '');
}

function filled(schema: Schema, name: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[1] ?? schema.enum[0];
  if (schema.anyOf) return filled(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, name);
  if (schema.items) return [filled(schema.items, name)];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => [key, filled(field, key)]),
    );
  const [type] = [schema.type].flat();
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 7);
  if (type === 'boolean') return true;
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'Northwind';
}
