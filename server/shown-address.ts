import { domainToASCII, domainToUnicode } from 'node:url';
import { plain } from '#contract/split-by-bytes/field-parts.ts';

// Addresses are stored with their domain in ASCII (xn--…). People see its letters.

/** Latin labels of plain and accented letters, and a few letters without a decomposition. */
const LATIN = /^[a-z0-9\p{M}ßæœøłđðþ-]+$/u;

/** A label has one of these scripts, or those of Japanese or Korean. Only ASCII digits, because others look like letters. */
const OTHERS =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
    .split(' ')
    .map((script) => new RegExp(`^(?:(?!\\P{ASCII}(?<=\\p{Nd}))[\\p{scx=${script}}0-9-])+$`, 'u'));
const EAST_ASIAN = [
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}0-9-]+$/u,
  /^[\p{scx=Han}\p{scx=Hangul}0-9-]+$/u,
];

/** Letters of other scripts that look Latin, as browsers list them. A label of only these may be a trap. */
const LATIN_TWINS = /^[0-9\-аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡαικνρυωητοագզէլհյոսւօიოყძხჽჿדוחיןסװ]+$/u;

const isAscii = (label: string) => /^[\0-\x7F]*$/.test(label);
const isOneScript = (label: string) =>
  isAscii(label) ||
  (LATIN.test(label.normalize('NFD')) && !/\p{M}/u.test(label)) ||
  [...OTHERS, ...EAST_ASIAN].some((script) => script.test(label));

/** The domain in Unicode if nobody can mistake it for another; otherwise in ASCII. */
function shownDomain(ascii: string): string {
  const domain = domainToUnicode(ascii);
  const labels = domain.split('.');
  const isSafe =
    labels.every(isOneScript) &&
    (!isAscii(labels.at(-1) ?? '') || !labels.some((label) => !isAscii(label) && LATIN_TWINS.test(label)));
  // The shown form, typed again, must mean the same address.
  return isSafe && domainToASCII(plain(domain)) === ascii ? domain : ascii;
}

/** The text with the domains of its addresses in letters, for people. Applications get the stored form. */
export const withShownAddresses = (text: string): string =>
  text.includes('xn--')
    ? text.replace(/(?<=@)(?:[a-z0-9-]+\.)*xn--[a-z0-9-]+(?:\.[a-z0-9-]+)*/g, shownDomain)
    : text;
