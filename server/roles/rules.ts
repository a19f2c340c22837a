/** A role's name folded, so that names which look or read alike are the same name: case, width and spaces do not count. */
export const nameKey = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
