import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Storage } from '#server/storage/storage.ts';

/** Every name of a storage and when it was stored. */
export async function listed(storage: Storage): Promise<Map<string, Date>> {
  const found = new Map<string, Date>();
  for await (const { name, storedAt } of storage.list()) found.set(name, storedAt);
  return found;
}

export const newName = () => randomBytes(32).toString('base64url');

/** What holds for every storage, wherever it keeps its files. */
export const describeStorage = (storage: () => Storage) =>
  describe('a storage', () => {
    test('gives back what was put, byte for byte, and nothing for a name it does not know', async () => {
      for (const bytes of [randomBytes(1_200_000), Buffer.from('\u0000\r\n'), Buffer.alloc(0)]) {
        const name = newName();
        await storage().put(name, bytes);
        expect(Buffer.compare((await storage().get(name)) ?? Buffer.from('none'), bytes)).toBe(0);
      }
      expect(await storage().get(newName())).toBeUndefined();
    });

    test('lists what is there and since when, until it is deleted; deleting twice is no mistake', async () => {
      const [one, other] = [newName(), newName()];
      await storage().put(one, Buffer.from('one'));
      await storage().put(other, Buffer.from('other'));
      const found = await listed(storage());
      for (const name of [one, other]) {
        const age = Date.now() - (found.get(name)?.getTime() ?? 0);
        expect(Math.abs(age)).toBeLessThan(60_000);
      }
      await storage().delete(one);
      await storage().delete(one);
      const left = await listed(storage());
      expect([left.has(one), left.has(other)]).toEqual([false, true]);
      expect(await storage().get(one)).toBeUndefined();
    });

    test('takes many at once', async () => {
      const names = Array.from({ length: 20 }, newName);
      await Promise.all(names.map((name) => storage().put(name, Buffer.from(name))));
      const found = await Promise.all(names.map((name) => storage().get(name)));
      expect(found.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(names);
    });
  });
