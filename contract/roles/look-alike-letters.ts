/** Cyrillic, Greek, Turkish and small capital letters that look like Latin ones, beyond the list of UTS 39. */
const latin = new Map(
  [
    ['аеімрѕԁ', 'aeimpsd'],
    ['αειμνρυı', 'aeimnpui'],
    ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
  ].flatMap(([letters = '', plain = '']) =>
    Array.from(letters, (letter, at) => [letter, plain.charAt(at)] as const),
  ),
);

/** Writes letters that look like Latin ones as those. Expects lower case. */
export const inLatin = (text: string) => text.replace(/./gu, (letter) => latin.get(letter) ?? letter);
