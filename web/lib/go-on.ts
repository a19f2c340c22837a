import { leaveFor, onwardTo } from '#web/lib/navigate.ts';

/**
 * Takes somebody who is signed in on to where they came for (specification section 4): out of the portal where the
 * query leads, else to the page they asked for, else to the account. Only those with such a query load what it takes;
 * where that fails they still arrive. Going back later skips the page they left, which would send them away again.
 */
export async function goOn(page = onwardTo('/')): Promise<void> {
  if (/[?&](redirect_url|source|next|action=sdk)/.test(location.search))
    await import('#web/lib/way-out.ts').then(
      ({ leaveByQuery }) => leaveByQuery(location.search),
      () => {},
    );
  return leaveFor(page, { replace: true });
}
