import { WIRE_NAME } from '#contract/limits.ts';
/**
 * A page names in this header the person it was rendered for: the `person` of `GET /init` or `GET /ustat`, or
 * empty for nobody. The server refuses the call if the session belongs to another person or to nobody. The
 * header grants nothing, and other clients may omit it.
 */
export const PERSON_HEADER = `${WIRE_NAME}-person`;
