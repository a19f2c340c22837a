/** What the operator set and every page may know; the server writes it into the page as `<meta name="portico-site">`. */
export type Site = {
  readonly signUrl: string | null;
  readonly seoUrl: string | null;
  readonly pricingUrl: string | null;
  readonly supportEmail: string | null;
  /** Whether Google's button shows; Facebook's always does. */
  readonly googleLogin: boolean;
};
