-- The addresses of applications are exact, as `contract/applications/registration.ts` describes them.

create function is_exact_address(address text) returns boolean language sql immutable as $$
  select length(address) <= 500 and address ~ (
    '^(https://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))'
    '(:[0-9]{1,5})?([/?][A-Za-z0-9!$%&''()+,./:;=?@[\]_~-]*)?$')
$$;
create function are_exact_addresses(list text[]) returns boolean language sql immutable as $$
  select count(*) <= 20 and count(*) = count(distinct address) and coalesce(bool_and(is_exact_address(address)), true)
  from unnest(list) as address
$$;
alter table applications
  add constraint applications_redirect_urls_exact check (are_exact_addresses(redirect_urls)) not valid,
  add constraint applications_signed_out_urls_exact check (are_exact_addresses(signed_out_urls)) not valid,
  add constraint applications_start_url_exact check (is_exact_address(start_url)) not valid,
  add constraint applications_sign_out_url_public
    check (org_id is null or sign_out_url ~ '^https://([A-Za-z0-9-]+\.)+[A-Za-z][A-Za-z0-9-]*(:[0-9]+)?([/?]|$)') not valid;
