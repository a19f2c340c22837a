import { PRODUCT_NAME } from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import type { Oklch } from './colours.ts';

/** Reads a text in the language that is spoken now. */
export type Spoken = () => string;
export type BrandFile = { readonly bytes: Buffer; readonly type: string };
/** The paths of a picture in both themes. */
export type Pair = { readonly light: string; readonly dark: string };

export type Brand = {
  readonly name: string;
  readonly colour: Oklch | null;
  /** Stands beside the form of the public pages. */
  readonly line: Spoken | null;
  readonly mail: { readonly sender: string | null; readonly footer: Spoken | null };
  readonly legal: { readonly version: string; readonly terms: Spoken; readonly privacy: Spoken } | null;
  readonly logo: Pair | null;
  readonly favicon: string | null;
  readonly entrance: Pair | null;
  /** By path. */
  readonly files: ReadonlyMap<string, BrandFile>;
};

let shownBrand: Brand | null = null;

/** The brand that this process shows; null: the portal as it comes. */
export const brandNow = (): Brand | null => shownBrand;

/** The operator's terms and privacy notice in the language that is spoken now. */
export const legalOf = ({ legal }: Pick<Brand, 'legal'> = shownBrand ?? { legal: null }) =>
  legal ? { legal: { version: legal.version, terms: legal.terms(), privacy: legal.privacy() } } : {};

export function showBrand(brand: Brand | null): void {
  shownBrand = brand;
  product.name = brand?.name ?? PRODUCT_NAME;
  product.icons = brand?.logo ? { darkIcon: brand.logo.dark, lightIcon: brand.logo.light } : null;
}
