/** It may be busy, ask a signed-in person to sign in, or show data of an ended session: hide it and reload. */
export const loadAnewWhenRestored = () =>
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    document.documentElement.hidden = true;
    location.reload();
  });
