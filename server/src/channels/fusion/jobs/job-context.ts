import type { Channel } from '../context.ts'
import type { JobLog, OpenJob } from './job-log.ts'

/** What is needed besides the channel to follow the jobs of agents. */
export type Deploying = Channel & {
  log: JobLog
  /** Jobs of which something was heard here. Whatever they are needed for can be read again. */
  openJobs: Map<string, OpenJob>
}
