/**
 * The back button may restore a page from the browser's cache: still busy, asking a signed-in person to sign
 * in, or showing data of a session that has ended. Hide it at once and reload.
 */
export const loadAnewWhenRestored = () =>
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    document.documentElement.hidden = true;
    location.reload();
  });
