import { PRODUCT_NAME } from '#contract/limits.ts';
import { publicText } from '#contract/text/public.ts';
import { fill } from '#contract/text.ts';

export const titleOf = (page: string) => fill(publicText.title, { page, product: PRODUCT_NAME });

export const showTitle = (page: string) => {
  document.title = titleOf(page);
};
