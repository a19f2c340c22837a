import { product } from '#contract/product.ts';
import { type Site, SITE_META } from '#contract/site.ts';

const nothingSet: Site = {
  signUrl: null,
  seoUrl: null,
  pricingUrl: null,
  supportEmail: null,
  googleLogin: false,
  applications: [],
  destination: null,
  languages: [],
};

declare global {
  /** Set by the server when it prerenders pages. */
  var drawnSite: Site | undefined;
}

function readSite(): Site {
  if (import.meta.env.SSR) return globalThis.drawnSite ?? nothingSet;
  const content = document.querySelector(`meta[name="${SITE_META}"]`)?.getAttribute('content');
  return content ? (JSON.parse(content) as Site) : nothingSet;
}

export const site = readSite();
Object.assign(product, site.brand);
