-- What the computers of a request would get when it was made: kinds of work, with the names and hashes of packages. Null for
-- requests that give computers nothing.
alter table approvals add column content text[];

-- What an approved activation may give to its computers. Null: anything that is assigned.
alter table sliced_activations add column approved_content text[];
