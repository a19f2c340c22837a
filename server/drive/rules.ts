/** Whether a stored file is one of ours, complete or partly written. The sweep deletes no other file. */
export const isOurs = (name: string) => /^[\w-]{43}(\.part)?$/.test(name);
