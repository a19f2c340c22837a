import { leaveFor, onwardTo } from '#web/lib/navigate.ts';

/**
 * Leads a signed-in person to their destination (specification section 4): out of the portal if the query
 * says so, else to the requested page, else to the account. The code for leaving loads only for such queries;
 * if loading fails, the person still arrives. `replace`, because going back to this page would only lead away
 * again.
 */
export async function goOn(page = onwardTo('/')): Promise<void> {
  if (/[?&](redirect_url|source|next|action=sdk)/.test(location.search))
    await import('#web/public-pages/way-out.ts').then(
      ({ leaveByQuery }) => leaveByQuery(location.search),
      () => {},
    );
  return leaveFor(page, { replace: true });
}
