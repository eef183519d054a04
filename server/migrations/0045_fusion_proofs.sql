-- The id of a device is not secret: it consists of a name and a time. A device is therefore known by its id together with
-- its proof: its certificate, or the enrolment token in its address and, for GLPI agents, the id of the agent. A message
-- with the same device id and another proof comes from another device, which can neither act for the first nor block it.
alter table fusion_devices
  -- Of the id that GLPI agents send in a header. It is random, and nothing shows it.
  add column agent_id_hash bytea,
  -- The device was known before agent ids were stored. The first agent id that it sends is stored.
  add column adopts_agent_id boolean not null default false,
  -- Addresses for jobs contain the epoch. Those with an earlier one are no longer valid.
  add column address_epoch integer not null default 1,
  add column proof bytea not null generated always as (
    coalesce(certificate_hash, int4send(enrolment_token_id) || coalesce(agent_id_hash, ''))) stored,
  drop constraint fusion_devices_device_id_key,
  add constraint fusion_devices_agent_id_hash_check check (length(agent_id_hash) = 32),
  add constraint fusion_devices_device_id_proof_key unique (device_id, proof);

update fusion_devices set adopts_agent_id = true where kind = 'GLPI' and certificate_hash is null;

-- A device finds the computers for which it has enrolled before.
create index agents_enrolment_key_hash_idx on agents (enrolment_key_hash);
