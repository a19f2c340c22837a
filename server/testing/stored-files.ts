import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Storage } from '#server/storage/storage.ts';

export async function listed(storage: Storage): Promise<Map<string, Date>> {
  const files = new Map<string, Date>();
  for await (const { name, storedAt } of storage.list()) files.set(name, storedAt);
  return files;
}

export const newName = () => randomBytes(32).toString('base64url');

export const describeStorage = (storage: () => Storage) =>
  describe('a storage', () => {
    test('returns the stored bytes, and nothing for an unknown name', async () => {
      for (const bytes of [randomBytes(1_200_000), Buffer.from('\u0000\r\n'), Buffer.alloc(0)]) {
        const name = newName();
        await storage().put(name, bytes);
        expect(Buffer.compare((await storage().get(name)) ?? Buffer.from('none'), bytes)).toBe(0);
      }
      expect(await storage().get(newName())).toBeUndefined();
    });

    test('lists each name with its time until it is deleted, and deletes idempotently', async () => {
      const [one, other] = [newName(), newName()];
      await storage().put(one, Buffer.from('one'));
      await storage().put(other, Buffer.from('other'));
      const files = await listed(storage());
      for (const name of [one, other]) {
        const age = Date.now() - (files.get(name)?.getTime() ?? 0);
        expect(Math.abs(age)).toBeLessThan(60_000);
      }
      await storage().delete(one);
      await storage().delete(one);
      const remaining = await listed(storage());
      expect([remaining.has(one), remaining.has(other)]).toEqual([false, true]);
      expect(await storage().get(one)).toBeUndefined();
    });

    test('accepts many files at once', async () => {
      const names = Array.from({ length: 20 }, newName);
      await Promise.all(names.map((name) => storage().put(name, Buffer.from(name))));
      const contents = await Promise.all(names.map((name) => storage().get(name)));
      expect(contents.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(names);
    });
  });
