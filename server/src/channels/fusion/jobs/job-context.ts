import type { FusionContext } from '../context.ts'
import type { OpenJob } from './job-output.ts'

/** What handlers of jobs need besides the context of the channel. */
export type FusionJobContext = FusionContext & {
  /** A cache of jobs that have reported to this process. A job that is missing is read from the database again. */
  openJobs: Map<string, OpenJob>
}
