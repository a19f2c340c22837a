import type { Site } from '#contract/site.ts';

const nothingSet: Site = {
  signUrl: null,
  seoUrl: null,
  pricingUrl: null,
  supportEmail: null,
  googleLogin: false,
};

function readSite(): Site {
  const content = document.querySelector('meta[name="portico-site"]')?.getAttribute('content');
  return content ? (JSON.parse(content) as Site) : nothingSet;
}

/** The operator's settings for this page. */
export const site = readSite();
