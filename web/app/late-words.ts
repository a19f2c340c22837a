export const takeBackLateWords = () => document.getElementById('late')?.remove();
