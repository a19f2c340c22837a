import { SOCIAL_POPUP_PIXELS } from '#contract/limits.ts';

type Frame = Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'>;

export function popupFeatures({ screenX, screenY, outerWidth, outerHeight }: Frame): string {
  const { width, height } = SOCIAL_POPUP_PIXELS;
  const left = screenX + (outerWidth - width) / 2;
  const top = screenY + (outerHeight - height) / 2;
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

/** An empty browser window, or null if blocked. Call it only while handling a press. */
export const openPopup = () => open('about:blank', '_blank', popupFeatures(window));
