// Written by server/social/routes.ts. In a popup the opener continues: it reloads when the popup closes.
import { WIRE_NAME } from '#contract/limits.ts';
import { RETURN_QUERY } from '#web/public-pages/return-query.ts';

function withCarried(href: string): string {
  const url = new URL(href);
  const startQuery = new URLSearchParams(sessionStorage.getItem(`${WIRE_NAME}-${RETURN_QUERY}`) ?? '');
  for (const [name, value] of startQuery) url.searchParams.append(name, value);
  return url.href;
}

function leave({ href, dataset }: HTMLAnchorElement) {
  const opener = window.opener as Window | null;
  try {
    if (opener === null) return location.replace(href);
    // Throws unless the opener is a page of ours.
    if ('leads' in dataset) opener.history.replaceState(null, '', href);
    close();
  } catch {
    location.replace(href);
  }
}

const link = document.querySelector<HTMLAnchorElement>('main a');
if (link) {
  link.href = withCarried(link.href);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    leave(link);
  });
  if ('moves' in link.dataset) leave(link);
}
