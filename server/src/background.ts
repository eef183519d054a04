import { forgetStrangers } from './channels/fusion/devices/contact-statement.ts'
import { forgetUnusedParts } from './channels/fusion/jobs/file-parts.ts'
import { purgeTasks } from './features/deployments/jobs/purge-tasks.ts'
import { forgetUnusedEntries } from './features/inventory/dictionaries.ts'
import { keepStatisticsCurrent } from './features/issues/jobs/refresh-statistics.ts'
import { type HourlyJob, startHourly } from './jobs/hourly.ts'
import { startJobs } from './jobs/jobs.ts'
import type { ServiceParts } from './serve.ts'

/** Does the work that no request waits for. */
export async function startBackground({ database, configuration, logger }: ServiceParts) {
  const { db } = database
  const hourly: HourlyJob[] = [
    { name: 'purge old tasks', run: (signal) => purgeTasks(db, configuration.taskRetentionDays, signal) },
    { name: 'forget agents without a computer', run: () => forgetStrangers(db) },
    { name: 'forget unused file parts', run: () => forgetUnusedParts(db) },
    { name: 'forget unused software', run: (signal) => forgetUnusedEntries(db, signal) },
  ]
  const jobs = await startJobs({ database, configuration, logger })
  const stopHourly = startHourly(hourly, logger)
  const stopStatistics = keepStatisticsCurrent(db, logger)
  return {
    async stop() {
      await stopHourly()
      await jobs.stop()
      await stopStatistics()
    },
  }
}

export type Background = Awaited<ReturnType<typeof startBackground>>
