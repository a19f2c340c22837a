export const domainIn = (typed: string) => /@([^@\s]+\.[^@\s.]{2,})\s*$/.exec(typed)?.[1]?.toLowerCase();

/** The URL name of the organization in a company's link to the login page. */
export const askedCompany = (query: string) => new URLSearchParams(query).get('company') || undefined;
