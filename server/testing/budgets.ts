import { sql } from 'kysely';
import type { BucketName } from '#server/db/limiter.ts';
import type { TestApp } from './start-app.ts';

export async function placesTaken({ deps }: Pick<TestApp, 'deps'>, bucket: BucketName): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select coalesce(sum(count), 0)::int as taken from rate_limits where key like ${`${bucket}:%`}`.execute(
    deps.sql,
  );
  return rows[0]?.taken ?? 0;
}
