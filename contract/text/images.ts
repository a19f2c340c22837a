export const imagesText = {
  zoom: 'Zoom',
  hint: 'Drag the image, or move it with the arrow keys.',
  area: 'Part of the image that is kept',
  save: 'Save image',
  // The same words as the server's (contract/text/errors.ts), shown before anything is sent.
  tooLarge: 'The file is larger than 5 MB.',
  notAnImage: 'Please choose a PNG or JPEG image.',
  uploading: 'Uploading, {percent} %',
} as const;
