/** Whether a proof of identity is young enough for sensitive acts; a window of 0 never asks for one. */
export const isRecentProof = (provenAt: Date, now: Date, windowMinutes: number): boolean =>
  windowMinutes === 0 || now.getTime() - provenAt.getTime() < windowMinutes * 60_000;
