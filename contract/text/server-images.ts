/** Messages of image rules that only the server can check, so no page loads them. */
export const serverImagesText = {
  tooManyPixels:
    'This picture has more than {megapixels} megapixels. Please make it smaller and try again: 512 by 512 pixels are enough.',
  unconfirmed:
    'Until your email address is confirmed, a picture may have at most {megapixels} megapixels. Please confirm your address, or make the picture smaller: 512 by 512 pixels are enough.',
} as const;
