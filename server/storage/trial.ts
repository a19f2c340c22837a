import { randomBytes } from 'node:crypto';
import type { Storage } from './storage.ts';

/** Puts, reads and deletes a small file. Returns what fails, or null. */
export async function tryStorage(storage: Storage): Promise<string | null> {
  // The sweep of images deletes a file of such a name that stays behind.
  const name = randomBytes(32).toString('base64url');
  const bytes = Buffer.from('A trial, to be deleted.');
  try {
    await storage.put(name, bytes);
    const read = await storage.get(name);
    await storage.delete(name);
    return read && bytes.equals(read) ? null : 'a file that was put can not be read';
  } catch (error) {
    return (error as Error).message;
  }
}
