import { services } from '#contract/permissions.ts';
import { escapeHtml } from '#server/html.ts';

/** The claims that the page shows. */
export type Person = {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly org_name?: string | undefined;
  readonly role?: string | undefined;
  readonly permissions?: Permissions | undefined;
};
type Permissions = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, boolean>>>>>>;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --ink: light-dark(#2a2622, #f0ece6); --quiet: light-dark(#5f584f, #b5ada3); --paper: light-dark(#faf8f5, #1c1a18);
  --card: light-dark(#fff, #26231f); --line: light-dark(#e3ded6, #45403a); --accent: light-dark(#17635f, #6cc5bd);
  --accent-ink: light-dark(#fff, #10201f); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; color: var(--ink);
  background: var(--paper); }
main { width: min(100%, 480px); padding: 32px; background: var(--card); border: 1px solid var(--line);
  border-radius: 16px; }
h1 { margin: 0 0 4px; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0 0 24px; color: var(--quiet); overflow-wrap: anywhere; }
dl { margin: 0 0 24px; display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; margin: 0 0 24px; border-collapse: collapse; }
caption { text-align: start; font-weight: 600; padding-bottom: 4px; }
th, td { padding: 8px 0; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
th { padding-inline-end: 16px; font-weight: 400; }
.button { display: inline-block; min-height: 44px; padding: 10px 20px; border: 0; border-radius: 10px; font: inherit;
  font-weight: 600; color: var(--accent-ink); background: var(--accent); text-decoration: none; cursor: pointer; }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }`;

const script = `
const events = new EventSource('/events');
events.addEventListener('signed-out', () => {
  events.close();
  document.querySelector('main').replaceChildren(document.querySelector('#signed-out').content.cloneNode(true));
});`;

const signIn = (words: string) => `<a class="button" href="/sign-in">${words}</a>`;
const message = (title: string, text: string, action: string) =>
  `<h1>${title}</h1><p>${text}</p>${signIn(action)}`;

const document = (body: string, nonce: string, extra = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demonstration application</title>
<style nonce="${nonce}">${style}</style>
<main aria-live="polite">${body}</main>${extra}
</html>`;

/** The page for somebody who is not signed in here. */
export const visitorPage = (nonce: string) =>
  document(message('Demonstration application', 'You are not signed in here.', 'Sign in'), nonce);

export const problemPage = (nonce: string, problem: string) =>
  document(message('That did not work', escapeHtml(problem), 'Try again'), nonce);

/** The page of a signed-in person. It says so at once when the sign-in ends elsewhere. */
export function personPage(nonce: string, person: Person): string {
  const { name = 'Signed in', email = 'No email address', org_name: organization, role } = person;
  const endMessage = message('You were signed out', 'Your session in the portal has ended.', 'Sign in again');
  const body = `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(email)}</p>
<dl><dt>Organization</dt><dd>${escapeHtml(organization ?? 'None')}</dd>
<dt>Role</dt><dd>${escapeHtml(role ?? 'None')}</dd></dl>
${rightsTable(person.permissions)}
<form method="post" action="/sign-out"><button class="button">Sign out</button></form>`;
  const live = `<template id="signed-out">${endMessage}</template><script nonce="${nonce}">${script}</script>`;
  return document(body, nonce, live);
}

function rightsTable(permissions: Permissions = {}): string {
  const rows = Object.entries(permissions).flatMap(([service, modules]) =>
    Object.entries(modules).map(([module, rights]) => {
      const grantedRights = Object.keys(rights).filter((right) => rights[right]);
      return `<tr><th scope="row">${escapeHtml(moduleName(service, module))}</th>
<td>${escapeHtml(grantedRights.join(', ') || 'none')}</td></tr>`;
    }),
  );
  return rows.length > 0 ? `<table><caption>Rights</caption>${rows.join('\n')}</table>` : '';
}

/** A module that this application does not know keeps its number. */
function moduleName(service: string, module: string): string {
  const names = Object.hasOwn(services, service) ? services[service as keyof typeof services].modules : {};
  return (names as Readonly<Record<string, string>>)[module] ?? `${service} ${module}`;
}
