import { createRoot } from 'react-dom/client';
import { uiText } from '#contract/text/ui.ts';
import { presentWith } from '#web/lib/failures.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import '#web/ui/base.css';
import { whyNoAnswer } from '#web/ui/cause.ts';
import { keepFocus } from '#web/ui/keep-focus.ts';
import { AreaApp } from './area-app.tsx';
import { queryClient, sessionNow, sessionQuery } from './queries.ts';
import { loadAnewWhenRestored } from './restored.ts';
import { leaveEnded, leaveShutOut } from './session.ts';

presentWith('not_signed_in', leaveEnded);
// The organization is not this person's any more, or somebody else has signed in meanwhile.
presentWith('org_not_found', () => leaveShutOut(sessionNow()?.current?.name));
// The role was changed meanwhile: what it no longer opens goes from the screen.
presentWith('not_allowed', ({ message }) => {
  showAlert({ kind: 'danger', text: message });
  void queryClient.invalidateQueries(sessionQuery);
});
// No answer came, or none that could be read.
presentWith('internal_error', ({ message }) =>
  showAlert({ kind: 'danger', text: message === uiText.wentWrong ? whyNoAnswer() : message }),
);
loadAnewWhenRestored();
keepFocus();

const root = document.getElementById('root');
if (root) createRoot(root).render(<AreaApp />);
