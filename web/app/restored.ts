/**
 * The back button may bring a page back as it was: still busy, asking somebody to sign in who has, or with what
 * only somebody signed in may see. It is hidden at once and loaded anew.
 */
export const loadAnewWhenRestored = () =>
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    document.documentElement.hidden = true;
    location.reload();
  });
