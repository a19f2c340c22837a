import type { Site } from '#contract/site.ts';
import type { Config } from './config.ts';

/** The operator's settings for pages and links; `signUrl` does not end with a slash. */
export const siteOf = ({ signUrl, seoUrl, pricingUrl, supportEmail, googleLogin }: Config): Site => ({
  signUrl: signUrl?.href.replace(/\/$/, '') ?? null,
  seoUrl: seoUrl?.href ?? null,
  pricingUrl: pricingUrl?.href ?? null,
  supportEmail,
  googleLogin,
  applications: [],
  destination: null,
  languages: [],
});
