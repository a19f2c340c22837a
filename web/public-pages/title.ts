import { publicText } from '#words/public.ts';

export const titleOf = (page: string) => publicText.title({ page });

export const showTitle = (page: string) => {
  document.title = titleOf(page);
};
