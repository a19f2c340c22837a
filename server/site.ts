import type { Site } from '#contract/site.ts';
import type { Config } from '#server/config.ts';

/** The operator's settings as pages and links take them: addresses as text, that of the signature application without a slash at its end. */
export const siteOf = ({ signUrl, seoUrl, pricingUrl, supportEmail, googleLogin }: Config): Site => ({
  signUrl: signUrl?.href.replace(/\/$/, '') ?? null,
  seoUrl: seoUrl?.href ?? null,
  pricingUrl: pricingUrl?.href ?? null,
  supportEmail,
  googleLogin,
});
