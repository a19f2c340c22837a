import { latePopup } from './late.tsx';

export const LateConfirm = latePopup(async () => (await import('./confirm.tsx')).Confirm);
