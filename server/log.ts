/** One line of the log: fields first, which never contain a secret. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
