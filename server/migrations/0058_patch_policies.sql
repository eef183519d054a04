-- Rules that approve patches without a person. A computer has the policies of its groups and of the groups above.
create table patch_policies (
  id integer generated always as identity,
  name text not null,
  description text not null default '',
  -- Of several policies of a computer, those with the lowest number decide first; of equals, those of the nearest group.
  priority integer not null default 100,
  -- The ordered rules, as the API shows them. The first one that matches a patch decides about it.
  rules jsonb not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint patch_policies_pkey primary key (id),
  constraint patch_policies_name_check check (name ~ '\S' and length(name) <= 255),
  constraint patch_policies_priority_check check (priority between 1 and 1000),
  constraint patch_policies_rules_check check (jsonb_typeof(rules) = 'array')
);

create unique index patch_policies_name_key on patch_policies (lower(name));

-- A group of computers to which a policy is assigned.
create table patch_policy_assignments (
  policy_id integer not null,
  group_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint patch_policy_assignments_pkey primary key (policy_id, group_id),
  constraint patch_policy_assignments_policy_id_fkey
    foreign key (policy_id) references patch_policies (id) on delete cascade,
  constraint patch_policy_assignments_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index patch_policy_assignments_group_id_idx on patch_policy_assignments (group_id, policy_id);

-- What a policy says about a patch for one product, in a span of time. It follows from the rules and from what is known about the
-- patch, and is stored so that a contact looks it up instead of comparing rules. Spans of one patch do not overlap; a patch that no
-- rule matches has none.
create table patch_policy_rulings (
  policy_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  -- Rules with an age begin and end by themselves. The others are valid from -infinity to infinity.
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  -- The place of the rule in the policy, from 1.
  rule_number smallint not null,
  action text not null,
  -- From when on an approving rule approves the patch. Null if the span ends before.
  approved_from timestamptz,
  constraint patch_policy_rulings_pkey primary key (policy_id, patch_id, product_id, valid_from),
  constraint patch_policy_rulings_action_check check (action in ('Approve', 'Review', 'Decline')),
  constraint patch_policy_rulings_span_check check (valid_from < valid_until),
  constraint patch_policy_rulings_approved_check
    check (approved_from is null or action = 'Approve' and approved_from >= valid_from and approved_from < valid_until),
  constraint patch_policy_rulings_policy_id_fkey foreign key (policy_id) references patch_policies (id) on delete cascade,
  constraint patch_policy_rulings_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id) on delete cascade
);

create index patch_policy_rulings_patch_id_idx on patch_policy_rulings (patch_id, product_id);

-- Whether a document says that a vulnerability is exploited that the patch fixes.
alter table patches add column is_exploited boolean not null default false;
