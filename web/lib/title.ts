import { PRODUCT_NAME } from '#contract/limits.ts';
import { publicText } from '#contract/text/public.ts';
import { fill } from '#contract/text.ts';

/** The document's title on a public page. */
export const titleOf = (page: string) => fill(publicText.title, { page, product: PRODUCT_NAME });

/** Titles the document as a public page. */
export const showTitle = (page: string) => {
  document.title = titleOf(page);
};
