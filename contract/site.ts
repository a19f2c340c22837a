import type { Icons } from './product.ts';
import { WIRE_NAME } from './limits.ts';
import type { OrgId } from './wire.ts';

export const SITE_META = `${WIRE_NAME}-site`;
export const THEME_COOKIE = `${WIRE_NAME}-theme`;

export type RegisteredApplication = {
  readonly name: string;
  readonly description: string;
  /** The path of its picture. */
  readonly icon: string | null;
  readonly url: string;
  /** The organization whose members may enter: 0 is any, null admits everybody. */
  readonly membersOf: OrgId | 0 | null;
};

/** The words and the picture of the application that a sign-in leads to. */
export type Destination = {
  readonly sentence: string;
  readonly publisher: string;
  /** Stands for a missing icon. */
  readonly letter: string;
  readonly icon: string | null;
};

/** Settings that every page may know. The server writes them into the page as `<meta name="portico-site">`. */
export type Site = {
  readonly signUrl: string | null;
  readonly seoUrl: string | null;
  readonly pricingUrl: string | null;
  readonly supportEmail: string | null;
  /** Whether Google's button shows. Facebook's always does. */
  readonly googleLogin: boolean;
  /** The suite's registered applications; only My Apps and the home page know them. */
  readonly applications: readonly RegisteredApplication[];
  /** The application of the request that this page was opened for. */
  readonly destination: Destination | null;
  /** The languages to choose from; only the area knows them. */
  readonly languages: readonly string[];
  /** The operator's brand, if the portal has one; `line` stands beside the forms of public pages. */
  readonly brand?: {
    readonly name: string;
    readonly icons: Icons | null;
    readonly line?: string;
    /** The addresses of the operator's terms and privacy notice. */
    readonly legal?: { readonly version: string; readonly terms: string; readonly privacy: string };
  };
};
