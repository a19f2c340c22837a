/** Removes the message that the HTML shows when its script is late. */
export const takeBackLateWords = () => document.getElementById('late')?.remove();
