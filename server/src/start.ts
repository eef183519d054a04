import { pino } from 'pino'
import { forgetUnusedParts } from './agents/fusion/deploying/file-parts.ts'
import { forgetStrangers } from './agents/fusion/devices/contact-statement.ts'
import { type App, buildApp } from './app.ts'
import type { Database } from './database/connect.ts'
import { listenTo } from './database/listen.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { seedMasterServer, thisMachine } from './domain/depots/master-server.ts'
import { type FirstAdministrator, seedFirstAdministrator } from './domain/first-administrator.ts'
import { forgetUnusedEntries } from './domain/inventory/dictionaries.ts'
import { type HourlyJob, startHourly } from './jobs/hourly.ts'
import { type Jobs, startJobs } from './jobs/jobs.ts'
import { purgeTasks } from './jobs/purge-tasks.ts'
import { keepStatisticsCurrent } from './jobs/refresh-statistics.ts'
import type { Configuration } from './platform/configuration.ts'
import { type Listeners, listen } from './platform/http/listeners.ts'

export type RunningService = {
  addresses: string[]
  /** Set at the first start of an installation only. */
  firstAdministrator: FirstAdministrator | undefined
  reloadCertificate(): Promise<void>
  stop(): Promise<void>
}

/** Tells about each part of the start when it is done: what it was, and a detail worth knowing. */
export type ReportPhase = (phase: string, detail: string) => void

export async function startService(configuration: Configuration, report: ReportPhase): Promise<RunningService> {
  const logger = pino({ level: configuration.logLevel })
  const steps: string[] = []
  const database = await openDatabase(configuration, {
    report: (step) => steps.push(step),
    warn: (message) => logger.warn(message),
  })
  let listeners: Listeners | undefined
  let jobs: Jobs | undefined
  try {
    report('database', configuration.databaseUrl ? 'by URL' : ['embedded', ...steps].join(', '))
    const applied = await migrate(database.pool)
    report('migrations', applied.length > 0 ? `${applied.length} applied` : 'nothing to do')
    await seedMasterServer(database.db, await thisMachine())
    const app = await buildApp({ database, configuration, logger })
    report('application', `${configuration.mode} mode`)
    listeners = await listen(app.http, configuration)
    const { addresses, reloadCertificate, close } = listeners
    report('listeners', addresses.join(', '))
    const startedJobs = await startJobs({ database, configuration, logger })
    jobs = startedJobs
    report('jobs', 'waiting for work')
    // Last, because its secret is shown only if the start succeeds, and never again.
    const firstAdministrator = await seedFirstAdministrator(database.db, app.services.keys, configuration.bootstrap)
    const stopHourly = startHourly(hourlyJobs(database.db, app, configuration), logger)
    const stopStatistics = keepStatisticsCurrent(database.db, logger)
    const restores = listenTo(database.pool, 'muster_restored', app.reload, logger)
    return {
      addresses,
      firstAdministrator,
      reloadCertificate,
      async stop() {
        await stopHourly()
        await restores.close()
        await close()
        await startedJobs.stop()
        await stopStatistics()
        await database.close()
      },
    }
  } catch (error) {
    await listeners?.close()
    await jobs?.stop()
    await database.close()
    throw error
  }
}

function hourlyJobs(db: Database, { signingKeys }: App, { taskRetentionDays }: Configuration): HourlyJob[] {
  return [
    {
      name: 'rotate signing keys',
      async run() {
        await signingKeys.rotate()
        return 0
      },
    },
    { name: 'purge old tasks', run: (signal) => purgeTasks(db, taskRetentionDays, signal) },
    { name: 'forget agents without a computer', run: () => forgetStrangers(db) },
    { name: 'forget unused file parts', run: () => forgetUnusedParts(db) },
    { name: 'forget unused software', run: (signal) => forgetUnusedEntries(db, signal) },
  ]
}
