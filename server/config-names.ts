/** Names of the system that look like a setting. */
const foreign = new Set(['LANGUAGE']);
const LETTERS_PER_SLIP = 5;

/** A line for each name in the environment that looks like a setting which is not set. */
export function misspelt(given: readonly string[], settings: ReadonlySet<string>): string[] {
  const known = new Set([...settings].flatMap((name) => [name, `${name}_FILE`]));
  const missing = [...known].filter((name) => !given.includes(name));
  return given.flatMap((name) => {
    if (known.has(name) || foreign.has(name)) return [];
    const plain = name.toUpperCase().replaceAll('-', '_');
    const meant = missing.find((setting) => {
      const most = setting.length / LETTERS_PER_SLIP;
      return Math.abs(plain.length - setting.length) <= most && slips(plain, setting) <= most;
    });
    return meant === undefined ? [] : [`${name}: is no setting; ${meant} was probably meant`];
  });
}

/** How many letters are missing, added, wrong or swapped with their neighbour. */
export function slips(word: string, other: string): number {
  let [before, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= word.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = word[at - 1] === other[to - 1];
      const isSwapped = word[at - 1] === other[to - 2] && word[at - 2] === other[to - 1];
      const ways = [(row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped) ways.push((before[to - 2] ?? 0) + 1);
      next.push(Math.min(...ways));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
