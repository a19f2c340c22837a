import { listText as text } from '#words/list.ts';

/** Names one after the other, such as "Berlin, Paris", with the comma of the language. */
export const nameList = ([first = '', ...others]: readonly string[]) =>
  others.reduce((before, name) => text.pair({ before, name }), first);
