-- Where computers reach a depot, as the depot itself says.
alter table depots add column url text;
