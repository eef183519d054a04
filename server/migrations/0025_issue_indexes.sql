-- What has long been pending is found without a look into the table.
drop index deployments_pending_since_idx;
create index deployments_pending_since_idx on deployments (pending_since, computer_id, package_id)
  where pending_since is not null;

-- The words of the sweep over disks that are not encrypted, so that it does not compare texts of the whole fleet.
create index computers_windows_idx on computers (id) where platform ilike '%windows%' or os_name ilike '%windows%';

-- All questions about the fleet can be narrowed to a domain.
create index computers_domain_idx on computers (lower(domain));
