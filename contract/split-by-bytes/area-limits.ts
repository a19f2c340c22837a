// Lists that only the area needs: bundlers inline the numbers of `limits.ts`, but would add these to every page.

export const UPLOAD_TYPES = ['image/png', 'image/jpeg'] as const;
export const NOTIFICATION_TYPE = { productUpdates: 1, productOffers: 2, promotionalUpdates: 3 } as const;
export const ICON_TYPE = { dark: 1, light: 2 } as const;
