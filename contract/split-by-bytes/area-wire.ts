import * as z from 'zod/mini';
import { orgId } from '#contract/wire.ts';

// Wire types that only the signed-in area needs, so that public pages need not load them.

/** An organization's id in a query: an integer, or `c` and an integer as in older addresses. */
export const orgIdInQuery = z.codec(z.string().check(z.regex(/^c?[1-9]\d{0,14}$/)), orgId, {
  decode: (text) => Number(text.replace('c', '')),
  encode: (value) => String(value),
});

export const idInQuery = <T extends z.core.$ZodType<number, number>>(type: T) =>
  z.codec(z.string().check(z.regex(/^[1-9]\d{0,15}$/)), type, {
    decode: (text) => Number(text) as z.input<T>,
    encode: (value) => String(value),
  });

export const countInQuery = (max: number) =>
  z.codec(z.string().check(z.regex(/^[1-9]\d{0,4}$/)), z.int().check(z.maximum(max)), {
    decode: Number,
    encode: String,
  });

/** The name of a stored image: opaque and unguessable. */
export const fileId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/))
  .brand<'FileId'>();
export type FileId = z.output<typeof fileId>;
