/** Whether a proof is recent enough for sensitive calls. A window of 0 accepts any. */
export const isRecentProof = (provenAt: Date, now: Date, windowMinutes: number): boolean =>
  windowMinutes === 0 || now.getTime() - provenAt.getTime() < windowMinutes * 60_000;
