import { createRoot } from 'react-dom/client';
import { presentWith } from '#web/lib/failures.ts';
import { goTo } from '#web/lib/navigate.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';
import '#web/ui/base.css';
import { AreaApp } from './area-app.tsx';
import { loadAnewWhenRestored } from './restored.ts';
import { leaveEnded } from './session.ts';

presentWith('not_signed_in', leaveEnded);
// The organization is not this person's any more, or somebody else has signed in meanwhile.
presentWith('org_not_found', () => {
  forgetUnsaved();
  goTo('/');
});
loadAnewWhenRestored();

const root = document.getElementById('root');
if (root) createRoot(root).render(<AreaApp />);
