/** Whether a stored file is one of ours, whole or cut short while it was written; nothing else is ours to delete. */
export const isOurs = (name: string) => /^[\w-]{43}(\.part)?$/.test(name);
