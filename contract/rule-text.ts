/** The message of a rule: a constant in pages. On the server a function, so that it speaks the caller's language. */
export type RuleText = string | (() => string);

/** The texts of a group as messages of rules. */
export type RuleTexts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? RuleText
    : T[K] extends (values: infer V) => string
      ? (values: V) => RuleText
      : RuleTexts<T[K]>;
};
