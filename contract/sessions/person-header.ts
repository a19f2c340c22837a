import { WIRE_NAME } from '#contract/limits.ts';
/** `person` of `GET /init` or `GET /ustat`, empty for nobody: the server refuses it in another person's session. */
export const PERSON_HEADER = `${WIRE_NAME}-person`;
