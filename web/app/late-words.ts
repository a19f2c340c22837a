/** Takes back what the page itself says when its script is late. */
export const takeBackLateWords = () => document.getElementById('late')?.remove();
