// The script of the page at the end of a social sign-in, which server/social/routes.ts writes. Its link says where the
// person goes on. In a popup the page that opened it goes on instead: it loads itself again when this one is closed.
import { CARRIED } from '#web/lib/carried.ts';

/** What the page that began it was asked for goes along. */
function withCarried(href: string): string {
  const url = new URL(href);
  const carried = new URLSearchParams(sessionStorage.getItem(`portico-${CARRIED}`) ?? '');
  for (const [name, value] of carried) url.searchParams.append(name, value);
  return url.href;
}

function leave({ href, dataset }: HTMLAnchorElement) {
  const opener = window.opener as Window | null;
  try {
    if (opener === null) return location.replace(href);
    // Only a page of ours lets its address be changed from here.
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
