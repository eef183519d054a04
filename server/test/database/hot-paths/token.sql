select
  secret.id,
  secret.principal_id,
  secret.secret_hash,
  coalesce(secret.last_used_at > now() - interval '5 minutes', false) as is_use_recorded
from
  local_principals principal
  join principal_secrets secret on secret.principal_id = principal.principal_id
where
  principal.client_id = $1
  and not principal.is_revoked
  and (
    principal.expires_at is null
    or principal.expires_at > now()
  )
  and (
    secret.expires_at is null
    or secret.expires_at > now()
  );

update "principal_secrets"
set
  "last_used_at" = now()
where
  "id" = $1;

select
  audit_repeated_request ($1::integer, $2, $3, $4, $5::jsonb, $6::smallint, $7);
