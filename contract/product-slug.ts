import { product } from './product.ts';

/** The name in file names and addresses: `northwind-id`. */
export const productSlug = (): string =>
  product.name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'portal';
