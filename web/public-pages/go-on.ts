import { leaveFor, onwardTo } from '#web/lib/navigate.ts';

/** Out of the portal, to the requested page or the account. `replace`, because back would only lead away again. */
export async function goOn(page = onwardTo('/')): Promise<void> {
  if (/[?&](redirect_url|source|next|action=sdk)/.test(location.search))
    await import('./way-out.ts').then(
      ({ leaveByQuery }) => leaveByQuery(location.search),
      () => {},
    );
  return leaveFor(page, { replace: true });
}
