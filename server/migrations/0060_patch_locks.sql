-- What only the computer itself knows about a missing patch, as its last scan reported it.
alter table computer_patches
  -- The lock because of which it is not installed there, such as apt-mark hold.
  add column locked_by text,
  -- Whether a restart should follow; null if the scan could not know.
  add column restart_suggested boolean,
  add constraint computer_patches_locked_by_check check (is_missing or locked_by is null),
  add constraint computer_patches_restart_suggested_check check (is_missing or restart_suggested is null);
