/** The name under which a tab keeps the query it was asked for with, until its person is back from a provider. */
export const CARRIED = 'carried';
