import { DERIVED, SITE, TECHNICAL, UNDER_WAY } from '#server/data-export/sources/rules.ts';

/** Tables that no archive has, each with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  account_deletions: 'nobody can sign in to an account that is going to be erased',
  data_exports: 'this archive itself',
  jobs: 'work under way, whose results are exported',
  challenges: UNDER_WAY,
  redirect_codes: UNDER_WAY,
  social_visits: UNDER_WAY,
  passkey_challenges: UNDER_WAY,
  provider_records: UNDER_WAY,
  passkey_owners: TECHNICAL,
  member_search: DERIVED,
  member_counts: DERIVED,
  activity_chains: SITE,
  activity_anchors: SITE,
  kept_url_names: 'hashes of names that belonged to erased organizations',
  rate_limits: 'hashes with counters, for a day at most',
  installation: SITE,
  operators: SITE,
  desk_sessions: UNDER_WAY,
  desk_requests: UNDER_WAY,
  terms_versions: SITE,
  signing_keys: SITE,
  job_turns: SITE,
  migrations: SITE,
};
