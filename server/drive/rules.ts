/** Whether a file in the storage is an image, complete or partly written. The sweep deletes no other file. */
export const isImageName = (name: string) => /^[\w-]{43}(\.part)?$/.test(name);
