import '#web/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import { UiProvider } from '#web/ui/ui-provider.tsx';
import { Controls } from './controls.tsx';
import { Messages } from './messages.tsx';
import { Overlays, ThemeMenu } from './overlays.tsx';
import styles from './specimen.module.css';
import { Tables } from './tables.tsx';

/** Every part of `web/ui` in every state on one page: a development aid, never served in production. */
function Specimen() {
  return (
    <UiProvider>
      <header className={styles.top}>
        <Brand>{PRODUCT_NAME}</Brand>
        <ThemeMenu />
      </header>
      <main className={styles.page}>
        <PageHeader
          title="Specimen"
          lead="Every part of the house style, in every state."
          crumbs={
            <>
              <a href="#root">Organization</a>
              <a href="#root">Roles</a>
            </>
          }
          actions={<Overlays />}
        />
        <Controls />
        <Messages />
        <Tables />
      </main>
      <AlertHost belowHeader />
    </UiProvider>
  );
}

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Specimen />
    </StrictMode>,
  );
}
