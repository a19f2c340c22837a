import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { keepFocus } from '#web/ui/keep-focus.ts';
import { client } from '#web/operator/calls.ts';
import { DeskPage } from '#web/operator/desk.tsx';

keepFocus();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <DeskPage />
      </QueryClientProvider>
    </CSPProvider>,
  );
