import { product } from '#contract/product.ts';
import { brandNow, type BrandFile, showBrand } from './brand.ts';
import { brandOf, fingerprint, readFolder } from './folder.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { type Config, WrongEnvironment } from '#server/config.ts';
import type { Images } from '#server/images.ts';
import type { Log } from '#server/log.ts';

/** The brand's folder, which may change while the portal runs. */
export type Brands = {
  /** Looks into the folder once a minute; nobody waits for it. */
  readonly lookEachMinute: () => void;
  /** A file of this brand or the former one. Another process may show a newer brand, so a missing file makes it look. */
  readonly find: (at: string) => Promise<BrandFile | undefined>;
  readonly settled: () => Promise<void>;
  /** Names the brand that this process shows; the same name means the same files. */
  readonly shown: () => string;
};
type Needs = {
  readonly config: Config;
  readonly clock: Clock;
  readonly images: Images;
  readonly log: Log;
  /** Called before pages show a version of the terms. */
  readonly noteTerms: (version: string, now: Date) => Promise<void>;
};

/** Shows the brand of the folder; throws WrongEnvironment if it is wrong. */
export async function openBrands({ config, clock, images, log, noteTerms }: Needs): Promise<Brands> {
  let seen: string | null | undefined = null;
  let shown = '';
  let files: ReadonlyMap<string, BrandFile> = new Map();
  const read = async () => {
    const contents = readFolder(config);
    const print = fingerprint(contents);
    if (print === seen) return;
    seen = print;
    const brand = contents ? await brandOf(contents, config, images) : null;
    if (brand?.legal) await noteTerms(brand.legal.version, clock.now());
    files = new Map([...(brandNow()?.files ?? []), ...(brand?.files ?? [])]);
    showBrand(brand);
    shown = print === undefined ? product.name : `${product.name} (${print.slice(0, 6)})`;
  };
  let told = '';
  let lookedAt = clock.now().getTime();
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    lookedAt = clock.now().getTime();
    const failed = (error: unknown) => {
      // A wrong folder stays wrong until it changes. Any other failure may pass.
      if (!(error instanceof WrongEnvironment)) seen = null;
      const { message } = error as Error;
      if (message !== told)
        log.error({ err: error }, "the brand's folder is wrong, so the former brand stays");
      told = message;
    };
    looking = looking.then(read).then(() => void (told = ''), failed);
    return looking;
  };
  showBrand(null);
  await read();
  const isOlderThan = (ms: number) => clock.now().getTime() - lookedAt >= ms;
  return {
    lookEachMinute: () => {
      if (isOlderThan(MINUTE_MS)) void look();
    },
    find: async (at) => {
      if (!files.has(at) && isOlderThan(SECOND_MS)) await look();
      return files.get(at);
    },
    settled: () => looking,
    shown: () => shown,
  };
}
