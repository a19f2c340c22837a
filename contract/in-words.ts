/** Letters that run from right to left. */
const RIGHT_TO_LEFT = /.*[\u0590-\u08FF\uD802\uD803\uD83A\uD83B\uFB1D-\uFEFC].*/s;

/**
 * A value inside a text. If it runs from right to left, invisible characters keep it from reordering the words around
 * it, because plain text has no `bdi` element.
 */
export const isolated = (value: string) => value.replace(RIGHT_TO_LEFT, '\u2068$&\u2069');

/** A text that may ask for values. */
export const filled = <V>(text: string | ((values: V) => string), values: V) =>
  typeof text === 'string' ? text : text(values);
