/** A store for files, by opaque names whose content never changes: a folder or an S3 bucket. */
export type Storage = {
  /** Stores the bytes under a name; they are whole and durable once this returns. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Removes a file; a missing one is fine. */
  delete(name: string): Promise<void>;
  list(): AsyncIterable<StoredFile>;
};
export type StoredFile = { readonly name: string; readonly storedAt: Date };

/** The storage is full, read-only or unreachable; nobody's mistake, and it may pass. */
export class StorageAway extends Error {}
