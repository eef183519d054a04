-- The computers of a change after which an activation removes software. Who was charged for them is not charged again for
-- their activation. Null for other destructive actions.
alter table destructive_actions add column computer_ids integer[];

-- The computers from which the activation may remove software, because they were counted against a quota when it was
-- requested. Null: any, because the requester had no quota.
alter table sliced_activations add column removal_computer_ids integer[];
alter table rollouts add column removal_computer_ids integer[];
