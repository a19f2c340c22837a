import { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { leaveFor } from '#web/lib/navigate.ts';

/** Leaves for the company's provider, or shows why it cannot. */
export async function visitCompany(input: Input<typeof companyVisits.start>) {
  try {
    const { authUrl } = await call(companyVisits.start, input);
    await leaveFor(authUrl);
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    present(failure);
  }
}
