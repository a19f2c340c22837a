import type { Page } from '@playwright/test';

/** A PNG file in one colour, made by the browser. */
export async function pictureFile(page: Page, colour: string, width = 300, height = 200) {
  const bytes = await page.evaluate(
    async ([fill, w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const shade = context.createLinearGradient(0, 0, w, h);
      shade.addColorStop(0, fill);
      shade.addColorStop(1, '#fff');
      context.fillStyle = shade;
      context.fillRect(0, 0, w, h);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      return [...new Uint8Array(await (blob as Blob).arrayBuffer())];
    },
    [colour, width, height] as const,
  );
  return { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(bytes) };
}

/** Answers the file chooser that a button opens, by a press or a key. */
export async function choose(
  page: Page,
  name: string,
  file: { name: string; mimeType: string; buffer: Buffer },
  key?: string,
) {
  const chooser = page.waitForEvent('filechooser');
  const button = page.getByRole('button', { name });
  await (key === undefined ? button.click() : button.press(key));
  await (await chooser).setFiles(file);
}
