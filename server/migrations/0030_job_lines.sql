-- A line of the output of a job. Agents report line by line, and each line is stored before it is answered.
create table fusion_job_lines (
  job_id uuid not null,
  -- Counts all lines of the job. The first ones are deleted when there are many.
  position integer not null,
  line text not null,
  constraint fusion_job_lines_pkey primary key (job_id, position),
  constraint fusion_job_lines_job_id_fkey foreign key (job_id) references fusion_jobs (id) on delete cascade
);

alter table fusion_jobs add column line_count integer not null default 0;

-- The output of jobs whose result is still expected. The results of others have theirs.
with running as (
  update fusion_jobs job set line_count = 1
  from work
  where work.id = job.work_id and work.attempt = job.attempt and (work.state = 'Leased' or work.run_id is not null)
    and job.output <> ''
  returning job.id, job.output
)
insert into fusion_job_lines (job_id, position, line) select id, 1, rtrim(output, E'\n') from running;

alter table fusion_jobs drop column output;
