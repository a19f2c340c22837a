import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import { PICTURE_MAX_MEGAPIXELS } from '#contract/limits.ts';
import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { languages as catalogs } from '#words/languages.ts';
import type { Brand, BrandFile, Pair, Spoken } from './brand.ts';
import { oklchOf } from './colours.ts';
import { type Config, WrongEnvironment } from '#server/config.ts';
import { type Images, operatorSender } from '#server/images.ts';
import { languageNow } from '#server/language.ts';

const FILE_MAX_BYTES = 256 * 1024;
const DESCRIPTION = 'brand.json';
/** The files by their names without ending, and the endings that each may have. */
const pictures: Readonly<Record<string, readonly string[]>> = {
  'logo-light': ['svg', 'png'],
  'logo-dark': ['svg', 'png'],
  favicon: ['svg', 'png'],
  entrance: ['webp', 'jpg', 'png'],
  'entrance-dark': ['webp', 'jpg', 'png'],
};
const pictureNames = Object.entries(pictures).flatMap(([name, endings]) =>
  endings.map((ending) => `${name}.${ending}`),
);

type Contents = {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Of files that cannot be taken. */
  readonly problems: readonly string[];
};

const wrong = (problems: readonly string[]) =>
  new WrongEnvironment(problems.map((problem) => `BRAND_DIR: ${problem}`));

/** Undefined without a folder. */
export function readFolder({
  brandDir,
  dataDir,
}: Pick<Config, 'brandDir' | 'dataDir'>): Contents | undefined {
  if (!statSync(brandDir, { throwIfNoEntry: false })?.isDirectory()) {
    if (brandDir === path.join(dataDir, 'brand')) return undefined;
    throw wrong([`got "${brandDir}", takes a folder with ${DESCRIPTION}`]);
  }
  const files = new Map<string, Buffer>();
  const problems: string[] = [];
  for (const name of readdirSync(brandDir).toSorted()) {
    const isKnown = name === DESCRIPTION || pictureNames.includes(name);
    if (!isKnown && /^(brand|logo|favicon|entrance)/i.test(name))
      problems.push(`${name} is unknown, takes ${[DESCRIPTION, ...pictureNames].join(', ')}`);
    if (!isKnown) continue;
    const file = path.join(brandDir, name);
    try {
      if (statSync(file).size > FILE_MAX_BYTES)
        problems.push(`${name} is too large, takes at most ${FILE_MAX_BYTES / 1024} kB`);
      else files.set(name, readFileSync(file));
    } catch (error) {
      problems.push(`${name} can't be read (${(error as Error).message})`);
    }
  }
  return { files, problems };
}

const hashOf = (parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
};
export const fingerprint = (contents: Contents | undefined) =>
  contents && hashOf([...contents.files].flat().concat(contents.problems));

const textWith = (what: string, holds: (text: string) => boolean) =>
  z.custom<string>((value) => typeof value === 'string' && holds(value), { error: what });
/** No markup, no line breaks, and nothing that changes the direction of what follows. */
const hiddenCharacters = /[<>{}\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const words = (most: number) =>
  textWith(
    `a text of at most ${most} characters in one line and without markup`,
    (text) =>
      text !== '' && text.trim() === text && Array.from(text).length <= most && !hiddenCharacters.test(text),
  );
const address = textWith('an https address', (text) => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && !hiddenCharacters.test(text);
});
const objectOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, { error: Object.keys(shape).join(', ') });

function schemaFor(main: string) {
  const others = catalogs.map(({ tag }) => tag).filter((tag) => tag !== main);
  /** One text, or one for each language, with the portal's own among them. */
  const spoken = (one: z.ZodMiniType<string>) =>
    z.pipe(
      z.pipe(
        z.transform((value: unknown) => (typeof value === 'string' ? { [main]: value } : value)),
        objectOf({ [main]: one, ...Object.fromEntries(others.map((tag) => [tag, z.optional(one)])) }),
      ),
      z.transform((texts): Spoken => {
        const byLanguage: Readonly<Record<string, string | undefined>> = texts;
        return () => byLanguage[languageNow()] ?? byLanguage[main] ?? '';
      }),
    );
  const colour = textWith('a colour such as #0b57d0', (text) => /^#[0-9a-f]{6}$/i.test(text));
  return objectOf({
    name: words(40),
    colour: z.optional(z.pipe(colour, z.transform(oklchOf))),
    line: z.optional(spoken(words(120))),
    mail: z.optional(objectOf({ sender: z.optional(words(60)), footer: z.optional(spoken(words(300))) })),
    legal: z.optional(
      objectOf({
        version: textWith('a version such as 2026-11-01', (text) => /^[\w.-]{1,40}$/.test(text)),
        terms: spoken(address),
        privacy: spoken(address),
      }),
    ),
  });
}

function describe(json: string | undefined, main: string) {
  if (json === undefined) return { problems: [`${DESCRIPTION} is missing`] };
  let value: unknown;
  try {
    // Some editors of Windows begin a file with a byte order mark.
    value = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { problems: [`${DESCRIPTION} can't be read (${(error as Error).message}), takes JSON`] };
  }
  const { data, error } = schemaFor(main).safeParse(value, { reportInput: true });
  const problems = (error?.issues ?? []).flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return keys.map((key) => {
      const at = [DESCRIPTION, [...issue.path, ...(key === undefined ? [] : [key])].join('.')]
        .join(' ')
        .trim();
      if (key !== undefined) return `${at} is unknown, takes ${issue.message}`;
      return `${at}: got ${JSON.stringify(issue.input)?.slice(0, 60) ?? 'nothing'}, takes ${issue.message}`;
    });
  });
  return { data, problems };
}

async function draw(name: string, bytes: Buffer, images: Images): Promise<BrandFile | string> {
  if (name.endsWith('.svg')) {
    const isSvg = /^(\s|<\?[^>]*>|<!--[^]*?-->|<!doctype[^>]*>)*<svg[\s>]/i.test(bytes.toString());
    return isSvg ? { bytes, type: 'image/svg+xml' } : `${name} is no SVG`;
  }
  const isEntrance = name.startsWith('entrance');
  // A PNG has its size behind its signature.
  const [width, height] =
    isEntrance || bytes.length < 24 ? [] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width !== height) return `${name} is not square`;
  const drawn = await images[isEntrance ? 'whole' : 'square'](bytes, operatorSender);
  if (!(drawn instanceof Refusal)) return { bytes: drawn.bytes, type: drawn.mediaType };
  if (drawn.name !== 'invalid_image') throw new Error(`${name} can't be drawn now`);
  return drawn.detail.details === undefined
    ? `${name} is no picture that can be shown`
    : `${name} has more than ${PICTURE_MAX_MEGAPIXELS.confirmed} megapixels`;
}

/** Checks the contents of a folder and makes a brand of them; throws WrongEnvironment with all problems. */
export async function brandOf(
  contents: Contents,
  { languages }: Pick<Config, 'languages'>,
  images: Images,
): Promise<Brand> {
  const main = languages[0] ?? SOURCE_LANGUAGE;
  const described = describe(contents.files.get(DESCRIPTION)?.toString(), main);
  const problems = [...contents.problems, ...described.problems];
  const files = new Map<string, BrandFile>();
  const paths = new Map<string, string>();
  for (const [name, bytes] of contents.files) {
    if (name === DESCRIPTION) continue;
    const file = await draw(name, bytes, images);
    if (typeof file === 'string') {
      problems.push(file);
      continue;
    }
    const at = `/brand/${hashOf([file.bytes])}/${name}`;
    files.set(at, file);
    paths.set(path.parse(name).name, at);
  }
  const { data } = described;
  if (!data || problems.length > 0) throw wrong(problems);
  const pairOf = (light: string, dark: string): Pair | null => {
    const [one = paths.get(dark), other = paths.get(light)] = [paths.get(light), paths.get(dark)];
    return one !== undefined && other !== undefined ? { light: one, dark: other } : null;
  };
  const { name, colour, line, mail, legal } = data;
  const logo = pairOf('logo-light', 'logo-dark');
  return {
    name,
    colour: colour ?? null,
    line: line ?? null,
    mail: { sender: mail?.sender ?? null, footer: mail?.footer ?? null },
    legal: legal ?? null,
    logo,
    favicon: paths.get('favicon') ?? logo?.light ?? null,
    entrance: pairOf('entrance', 'entrance-dark'),
    files,
  };
}
