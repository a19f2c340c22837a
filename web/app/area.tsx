import { createRoot } from 'react-dom/client';
import { draftWith } from '#web/lib/form.ts';
import { pageDrafts } from '#web/lib/page-drafts.ts';
import { proveNow } from '#web/lib/use-call.ts';
import { presentWith } from '#web/lib/failures.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import '#web/ui/base.css';
import { keepFocus } from '#web/ui/keep-focus.ts';
import { watchForLostStyles } from '#web/ui/late.tsx';
import { AreaApp } from './area-app.tsx';
import { noEntryCodes } from './landing.ts';
import { queryClient, sessionNow, sessionQuery } from './queries.ts';
import { loadAnewWhenRestored } from './restored.ts';
import { watchOtherTabs } from './other-tabs.ts';
import { leaveClosed, leaveEnded, leaveShutOut, leaveToAnother } from './session.ts';

draftWith(pageDrafts);
presentWith('not_signed_in', leaveEnded);
presentWith('signed_in_as_another', leaveToAnother);
// The person is no longer in this organization.
for (const code of noEntryCodes) presentWith(code, () => leaveClosed(sessionNow()?.current?.urlName));
// Only a company has vouched for the person. The page reads again after the account's proof.
presentWith('account_proof_required', () => void proveNow());
presentWith('org_not_found', () => void leaveShutOut(sessionNow()?.current?.name));
// The role has changed. The new session hides what it no longer allows.
presentWith('not_allowed', ({ message }) => {
  showAlert({ kind: 'danger', text: message });
  void queryClient.invalidateQueries(sessionQuery);
});
loadAnewWhenRestored();
watchOtherTabs(sessionNow, () => void queryClient.invalidateQueries(sessionQuery));
keepFocus();
watchForLostStyles();

const root = document.getElementById('root');
if (root) createRoot(root).render(<AreaApp />);
