-- Whether PXE is active on a computer follows from its activations. A copy on the computer had to be locked and written for
-- every computer of an activation, while agents wait to write to the same rows.
create index activations_pxe_idx on activations (computer_id) where pxe;

alter table computers drop column is_pxe_active;
