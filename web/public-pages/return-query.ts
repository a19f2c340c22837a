/** The storage key under which a tab keeps its query until the person returns from a provider. */
export const RETURN_QUERY = 'carried';
