import { SOCIAL_POPUP_PIXELS } from '#contract/limits.ts';

type Frame = Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'>;

/** What a window over the middle of this one is asked for with. */
export function popupFeatures({ screenX, screenY, outerWidth, outerHeight }: Frame): string {
  const { width, height } = SOCIAL_POPUP_PIXELS;
  const left = screenX + (outerWidth - width) / 2;
  const top = screenY + (outerHeight - height) / 2;
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

/** An empty window of the browser's own, or null where it blocks them; only to be asked for while a press is handled. */
export const openPopup = () => open('about:blank', '_blank', popupFeatures(window));
