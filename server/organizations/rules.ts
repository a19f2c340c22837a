import { organizationName } from '#contract/split-by-bytes/area-fields.ts';
import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { refuse } from '#contract/errors.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import type { IconType } from '#contract/organizations/calls.ts';
import { mayBeUrlName } from '#contract/pages.ts';
import { productSlug } from '#contract/product-slug.ts';
import { product } from '#contract/product.ts';
import { organizationText } from '#words/organization.ts';

const URL_NAME_MAX = 40;

/** Letters that Unicode does not decompose into a plain letter and an accent. */
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

/** A readable URL name of ASCII letters, digits and dashes. Undefined if the name has none of them. */
export function urlNameOf(name: string): string | undefined {
  const plain = name
    // NFKC comes before lower case, because it can produce capitals: ℳ becomes M.
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, URL_NAME_MAX)
    .replace(/-+$/, '');
  // Reserved words and names like c12 are no URL names, but stay readable with a suffix.
  return [plain, `${plain}-org`].find(
    (candidate) => plain !== '' && candidate !== productSlug() && mayBeUrlName(candidate),
  );
}

/** Names to try in order: the plain one, numbered ones, then endless ones with random letters. */
export function* urlNameCandidates(name: string, random: () => string): Generator<string> {
  const plain = urlNameOf(name);
  if (plain) {
    yield plain;
    for (let number = 2; number <= 5; number += 1) yield `${plain}-${number}`;
  }
  for (;;) yield `${plain ?? 'org'}-${random()}`;
}

/** In the founder's language, without the marks that isolate the name in a sentence from right to left. */
export const defaultName = (firstName: string) =>
  organizationText.defaultName({ firstName }).replace(/[\u2068\u2069]/g, '');

type NewOrganization = { readonly name: string; readonly employeeCount: number | null };
type CreatedOrganization = NewOrganization & { readonly createdAt: Date; readonly memberId: unknown };
/** Of the same name and size, newer than `since`, and the person is still a member. */
export const findBySamePress = <T extends CreatedOrganization>(
  created: readonly T[],
  { name, employeeCount }: NewOrganization,
  since: Date,
): T | undefined =>
  created.find(
    (organization) =>
      organization.memberId !== null &&
      organization.name === name &&
      organization.employeeCount === employeeCount &&
      organization.createdAt > since,
  );

/** A changed name has letters only. An unchanged name may keep the digits that onboarding accepts. */
export function refuseNewName(name: string | undefined, before: string) {
  const result = name === undefined || name === before ? undefined : organizationName.safeParse(name);
  return (
    result?.error && refuse('invalid_input', { fields: { name: result.error.issues[0]?.message ?? '' } })
  );
}

export const iconUrl = (orgId: number, type: IconType, fileId: string | null) => {
  const { darkIcon, lightIcon } = product.icons ?? {
    darkIcon: '/icon-dark.svg',
    lightIcon: '/icon-light.svg',
  };
  if (fileId === null) return type === ICON_TYPE.dark ? darkIcon : lightIcon;
  return `/drive/appicon?file_id=${fileId}&org_id=${orgId}`;
};

/** A made-up file name of the dark icon, because the name of the uploaded file is not stored. */
export const iconName = (mediaType: MediaType | null) =>
  `icon-dark.${mediaType === null ? 'svg' : mediaType === 'image/png' ? 'png' : 'jpg'}`;
