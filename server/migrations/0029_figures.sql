-- The counts of the fleet include the number of computers with at least one issue that were heard from in 30 days. Those that
-- are stored get it here: they are shown until the next count.
update fleet_statistics
set counts = counts || jsonb_build_object('withIssues', (
  select count(*) from computer_summaries where issues <> '{}' and contact_age in ('Day', 'Week', 'Month')));

-- A pause also says when it began, since when its computers are counted, and how many of them will be retried. Nobody knows
-- this of earlier pauses.
update rollouts set pause = '{"atUtc": null, "sinceUtc": null, "retried": null}'::jsonb || pause where pause is not null;
