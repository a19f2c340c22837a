const RIGHT_TO_LEFT = /.*[\u0590-\u08FF\uD802\uD803\uD83A\uD83B\uFB1D-\uFEFC].*/s;

/** A value inside a text. Invisible characters keep one from right to left from reordering the words around it. */
export const isolated = (value: string) => value.replace(RIGHT_TO_LEFT, '\u2068$&\u2069');

export const fillText = <V>(text: string | ((values: V) => string), values: V) =>
  typeof text === 'string' ? text : text(values);
