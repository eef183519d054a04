-- The package from which new computers get their agent, by platform. Only an administrator designates it, and only with the
-- content that was designated: importing and releasing a package is not enough.
create table agent_packages (
  platform text not null,
  package_id uuid not null,
  content_hash bytea not null,
  designated_at timestamptz not null default now(),
  -- Null if the upgrade has taken over the package that was served before.
  designated_by text,
  constraint agent_packages_pkey primary key (platform),
  constraint agent_packages_platform_check check (platform in ('Linux', 'Windows')),
  constraint agent_packages_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index agent_packages_package_id_idx on agent_packages (package_id);

-- Installations that serve an agent keep serving the same one: the released package with the name of the agent that was
-- imported last, and with trusted keys the one that they have signed. The trail records it, because nobody has decided it.
with served as (
  select distinct on (platform) platform, packages.id, packages.content_hash, packages.version
  from packages
    join (values ('Linux', 'muster-agent'), ('Windows', 'muster-agent-windows')) as agent (platform, package_name)
      on agent.package_name = packages.package_name
  where packages.kind = 'Software' and packages.folder is not null and packages.is_operational
    and packages.hash_state = 'Current' and packages.content_hash is not null
  order by platform, packages.signature_key is null, packages.imported_at desc, packages.id
), designated as (
  insert into agent_packages (platform, package_id, content_hash) select platform, id, content_hash from served
)
select append_audit_entry(null, 'upgrade', 'designateAgentPackage', '/api/agent-packages/' || platform,
  jsonb_build_object('body', jsonb_build_object(
    'packageId', id, 'contentHash', encode(content_hash, 'hex'), 'version', version)),
  200::smallint, 'migration 0076')
from served;
