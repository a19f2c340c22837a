import { matches, pasted, required } from '#contract/field-parts.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';

// Field patterns of specification section 5 that no page uses yet. A file of their own, so that no page loads
// them.

/** An http(s) address. Its port, if any, is between 1 and 65535. */
export const link = pasted().check(
  required,
  matches(
    /^https?:\/\/(?![^/?#]*:(?:0+\b|6553[6-9]|655[4-9]\d|65[6-9]\d\d|6[6-9]\d{3}|[7-9]\d{4}|\d{6}))[^\s"<>'\p{Cc}]+$/iu,
    areaFieldText.link,
  ),
);
/** A number with at most two decimals. */
export const amount = pasted().check(required, matches(/^\d{1,12}(\.\d{1,2})?$/, areaFieldText.amount));
