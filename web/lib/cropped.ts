import { CROP_JPEG_QUALITY, IMAGE_SIDE_MAX } from '#contract/limits.ts';

/** A square of an image, in image pixels. */
export type Square = { readonly x: number; readonly y: number; readonly width: number };

/** Cuts the square out as a file: a JPEG, or a PNG if some pixel is transparent. */
export async function cropped(image: ImageBitmap, { x, y, width }: Square): Promise<File> {
  const side = Math.min(IMAGE_SIDE_MAX, Math.round(width));
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, width, width, 0, 0, side, side);
  const type = isOpaque(context.getImageData(0, 0, side, side)) ? 'image/jpeg' : 'image/png';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, CROP_JPEG_QUALITY));
  if (!blob) throw new Error('no picture');
  return new File([blob], type === 'image/jpeg' ? 'picture.jpg' : 'picture.png', { type });
}

function isOpaque({ data }: ImageData): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return false;
  return true;
}
