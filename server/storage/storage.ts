/** A folder or an S3 bucket. The content of a name never changes. */
export type Storage = {
  /** Stores a file; it is whole and durable once this returns. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Removes a file; a missing one is fine. */
  delete(name: string): Promise<void>;
  list(): AsyncIterable<StoredFile>;
};
export type StoredFile = { readonly name: string; readonly storedAt: Date };

/** The storage is full, read-only or unreachable; a retry may work. */
export class StorageAway extends Error {}
