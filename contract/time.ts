import * as z from 'zod/mini';

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime());

/** A short rule of our own: zod's `z.iso.datetime` weighs as much as a page. */
export const timeText = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/),
  z.refine(
    (text) => isDate(new Date(text)) && new Date(text).toISOString().slice(0, 10) === text.slice(0, 10),
  ),
);

/** The end of a restriction that only an operator ends. */
export const UNTIL_LIFTED = new Date('9999-12-31T23:59:59.999Z');
export const isUntilLifted = (moment: Date) => moment.getTime() === UNTIL_LIFTED.getTime();

/** ISO 8601 in UTC on the wire, a Date in our code. */
export const time = z.codec(timeText, z.custom<Date>(isDate), {
  decode: (value) => new Date(value),
  encode: (value) => (isDate(value) ? value.toISOString() : ''),
});
