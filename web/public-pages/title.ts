import { PRODUCT_NAME } from '#contract/limits.ts';
import { publicText } from '#contract/text/public.ts';
import { fill } from '#contract/text.ts';

/** The document title of a public page. */
export const titleOf = (page: string) => fill(publicText.title, { page, product: PRODUCT_NAME });

/** Sets the document title of a public page. */
export const showTitle = (page: string) => {
  document.title = titleOf(page);
};
