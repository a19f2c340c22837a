import type { Page } from '@playwright/test';

/** A PNG file in one colour, made by the browser. */
export async function pictureFile(page: Page, colour: string, width = 300, height = 200) {
  const url = await page.evaluate(
    ([fill, w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const shade = context.createLinearGradient(0, 0, w, h);
      shade.addColorStop(0, fill);
      shade.addColorStop(1, '#fff');
      context.fillStyle = shade;
      context.fillRect(0, 0, w, h);
      return canvas.toDataURL('image/png');
    },
    [colour, width, height] as const,
  );
  const buffer = Buffer.from(url.replace(/.*,/, ''), 'base64');
  return { name: 'me.png', mimeType: 'image/png', buffer };
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
