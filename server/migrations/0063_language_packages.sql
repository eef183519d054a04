-- The language whose package manager has installed the product; null if it is built from a package of the distribution. Advisories
-- for packages of a language count on every operating system.
alter table software_sources add column language text collate "C";
alter table software_sources add constraint software_sources_language_check check (language in ('npm', 'pypi'));

alter table software_sources drop constraint software_sources_product_id_name_version_key;
alter table software_sources add constraint software_sources_key unique nulls not distinct (product_id, name, version, language);
