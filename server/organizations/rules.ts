import { organizationName } from '#contract/area-fields.ts';
import { ICON_TYPE } from '#contract/area-limits.ts';
import { refuse } from '#contract/errors.ts';
import type { MediaType } from '#contract/drive.ts';
import type { IconType } from '#contract/organizations.ts';
import { mayBeUrlName } from '#contract/pages.ts';

const URL_NAME_MAX = 40;

/** Letters that Unicode does not take apart into a plain one and an accent. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A readable URL name of an organization's name: ASCII letters, digits and dashes; undefined when nothing is left of it. */
export function urlNameOf(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, URL_NAME_MAX)
    .replace(/-+$/, '');
  // The portal's own words and c12 stay readable with a word behind them.
  return [plain, `${plain}-org`].find((candidate) => plain !== '' && mayBeUrlName(candidate));
}

/** Names to try in turn: the plain one, then numbered, then with random letters, so that one of them is free. */
export function* urlNameCandidates(name: string, random: () => string): Generator<string> {
  const plain = urlNameOf(name);
  if (plain) {
    yield plain;
    for (let number = 2; number <= 5; number += 1) yield `${plain}-${number}`;
  }
  for (;;) yield `${plain ?? 'org'}-${random()}`;
}

/** The name of an organization that was given none. */
export const defaultName = (firstName: string) => `${firstName} Organization`;

/** A changed name has letters only; one that onboarding took stays as good as it was. */
export function refuseNewName(name: string | undefined, before: string) {
  const checked = name === undefined || name === before ? undefined : organizationName.safeParse(name);
  return (
    checked?.error && refuse('invalid_input', { fields: { name: checked.error.issues[0]?.message ?? '' } })
  );
}

/** Where an icon is fetched: the uploaded one, or the portal's own. */
export const iconUrl = (orgId: number, type: IconType, fileId: string | null) => {
  if (fileId === null) return type === ICON_TYPE.dark ? '/icon-dark.svg' : '/icon-light.svg';
  return `/drive/appicon?file_id=${fileId}&org_id=${orgId}`;
};

/** What the dark icon's file would be called; nobody's own name for a file is kept. */
export const iconName = (mediaType: MediaType | null) =>
  `icon-dark.${mediaType === null ? 'svg' : mediaType === 'image/png' ? 'png' : 'jpg'}`;
