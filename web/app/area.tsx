import { createRoot } from 'react-dom/client';
import { presentWith } from '#web/lib/failures.ts';
import '#web/ui/base.css';
import { AreaApp } from './area-app.tsx';
import { goToLogin } from './session.ts';

presentWith('not_signed_in', () => goToLogin());

const root = document.getElementById('root');
if (root) createRoot(root).render(<AreaApp />);
