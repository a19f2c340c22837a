// The operator's colour gives hue and chroma only. The lightness of each token is that of web/ui/tokens.css, so the
// contrast stays, and the dark theme follows from the light one.

/** Lightness from 0 to 1, chroma, and hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number];
type Linear = readonly [red: number, green: number, blue: number];

/** Lightness, and the chroma as a part of the accent's, in each theme. */
const tokens = {
  accent: [
    [0.47, 1],
    [0.76, 1],
  ],
  'accent-ink': [
    [0.99, 0.12],
    [0.2, 0.4],
  ],
  'accent-strong': [
    [0.4, 0.9],
    [0.83, 0.9],
  ],
  'accent-wash': [
    [0.956, 0.265],
    [0.28, 0.4],
  ],
  ring: [
    [0.6, 1.14],
    [0.62, 0.9],
  ],
} as const;
export type Theme = 'light' | 'dark';
export type Token = keyof typeof tokens;

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const encodeChannel = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

/** The matrices are those of https://bottosson.github.io/posts/oklab/. */
export function oklchOf(hex: string): Oklch {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return [lightness, Math.hypot(a, b), ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360];
}

export function linearOf([lightness, chroma, hue]: Oklch): Linear {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isInGamut = (colour: Oklch) =>
  linearOf(colour).every((channel) => channel >= -1e-4 && channel <= 1 + 1e-4);

/** With as much of its chroma as sRGB holds, in steps of a thousandth. */
function inGamut([lightness, chroma, hue]: Oklch): Oklch {
  let most = Math.round(chroma * 1000);
  while (most > 0 && !isInGamut([lightness, most / 1000, hue])) most -= 1;
  return [lightness, most / 1000, Math.round(hue)];
}

export function accentOf([, chroma, hue]: Oklch, token: Token, theme: Theme): Oklch {
  const [lightness, part] = tokens[token][theme === 'light' ? 0 : 1];
  return inGamut([lightness, chroma * part, hue]);
}

/** For mails, whose programs know no OKLCH. */
export const hexOf = (colour: Oklch): string =>
  `#${linearOf(colour)
    .map((channel) => Math.round(255 * encodeChannel(Math.min(1, Math.max(0, channel)))))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`;

const css = (colour: Oklch) => `oklch(${colour.map((part) => String(part).replace(/^0\./, '.')).join(' ')})`;

/** The accent of both themes as CSS. */
export const accentStyle = (colour: Oklch): string =>
  (Object.keys(tokens) as Token[])
    .map((token) => {
      const [light, dark] = (['light', 'dark'] as const).map((theme) => css(accentOf(colour, token, theme)));
      return `--${token}:light-dark(${light},${dark});`;
    })
    .join('');

/** Gives pictures the hue: a sepia picture has about the hue 85, and is brighter. */
export const tintOf = ([, chroma, hue]: Oklch): string =>
  `brightness(0.75) grayscale(1) sepia(1) hue-rotate(${Math.round(hue - 85)}deg) saturate(${Math.min(2, chroma * 16).toFixed(1)})`;

const BRICK_HUE = 27;
/** Whether the colour looks like that of danger: then acting and doing harm look alike. */
export const looksLikeDanger = ([, chroma, hue]: Oklch): boolean =>
  chroma > 0.04 && Math.abs(((hue - BRICK_HUE + 540) % 360) - 180) <= 25;
