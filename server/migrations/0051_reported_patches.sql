-- How the computer itself spells the patch and the product, if the catalog spells them otherwise. Only case differs. Null
-- costs nothing, so that the table stays narrow.
alter table computer_patches add column reported_key text;
alter table computer_patches add column reported_product text;

-- The computer whose scan added the link; null if a document names it. It counts against the quota of that computer. No
-- foreign key: the purge deletes the link when no computer reports it any more.
alter table patch_links add column reported_by integer;
create index patch_links_reported_by_idx on patch_links (reported_by) where reported_by is not null;

-- How many patches of the last scan exceeded a quota and were not stored.
alter table patch_scans add column ignored_patches integer not null default 0;

-- A catalog left to a scan what it did not say about a patch itself. The next import replaces that.
update patch_documents set content_hash = '' where id in (
  select described.document_id
  from patches join patch_document_patches described on described.patch_id = patches.id
  where patches.scan_details is not null);
