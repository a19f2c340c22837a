type Claims = Readonly<Record<string, unknown>>;

export const hasAddress = ({ email }: Claims) => email !== undefined;
export const hasNames = ({ given_name: given, family_name: family }: Claims) =>
  given !== undefined || family !== undefined;
export const namesIn = ({ name, given_name: given, family_name: family }: Claims): Claims => ({
  name,
  ...(given !== undefined && { given_name: given }),
  ...(family !== undefined && { family_name: family }),
});
