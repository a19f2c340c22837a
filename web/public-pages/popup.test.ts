import { expect, test } from 'vitest';
import { popupFeatures } from './popup.ts';

test.for([
  [{ screenX: 0, screenY: 0, outerWidth: 1360, outerHeight: 900 }, 'left=380,top=100'],
  [{ screenX: -1920, screenY: 40, outerWidth: 1920, outerHeight: 1040 }, 'left=-1260,top=210'],
  [{ screenX: 0, screenY: 0, outerWidth: 390, outerHeight: 844 }, 'left=-105,top=72'],
] as const)('a popup opens over the middle of the window at %o', ([frame, place]) => {
  expect(popupFeatures(frame)).toBe(`popup,width=600,height=700,${place}`);
});
