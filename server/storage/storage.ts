/** Where files lie, by opaque names that never change their content: a folder, or a bucket that speaks S3. */
export type Storage = {
  /** Keeps the bytes under a name: whole and for good once this returns. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Removes a file; one that is not there is no reason to complain. */
  delete(name: string): Promise<void>;
  list(): AsyncIterable<Stored>;
};
export type Stored = { readonly name: string; readonly storedAt: Date };

/** The storage is full, read-only or not to be reached: nobody's mistake, and it may pass. */
export class StorageAway extends Error {}
