-- Signed packages, and who has imported the content of a package.
alter table packages
  add column signature_key_id text,
  -- The trusted public key that the import found to have made the signature.
  add column signature_key text,
  -- The principal who last changed the content. No foreign key: the entry outlives the principal, like the audit trail.
  add column importer_id integer,
  add column importer_name text,
  add constraint packages_signature_check check (signature_key is null or signature_key_id is not null),
  add constraint packages_importer_check check ((importer_id is null) = (importer_name is null));

-- A folder belongs to one package, so the last import of its folder names the importer.
update packages set importer_id = import.principal_id, importer_name = import.principal_name
from (
  select distinct on (folder) replace(request #>> '{body,folderPath}', '\', '/') as folder, principal_id, principal_name
  from audit_entries where operation = 'importPackage' and status < 300
  order by folder, id desc
) as import
where packages.folder = import.folder;
