import type { Brands } from '#server/brand/watch.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from '#server/db/connect.ts';
import type { Images } from './images.ts';
import type { Keys } from './keys.ts';
import type { Limiter } from '#server/db/limiter.ts';
import type { Locations } from './locations.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Passwords } from './passwords.ts';
import type { Storage } from '#server/storage/storage.ts';

/** The dependencies of actions. A plain object, so that tests can replace a part by name. */
export type Deps = {
  readonly sql: Db;
  readonly clock: Clock;
  readonly config: Config;
  readonly keys: Keys;
  readonly passwords: Passwords;
  readonly images: Images;
  readonly brands: Brands;
  readonly storage: Storage;
  readonly limiter: Limiter;
  readonly locations: Locations;
  readonly log: Log;
  readonly metrics: Metrics;
};
