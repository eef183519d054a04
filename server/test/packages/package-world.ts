import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import type { App } from '../../src/app.ts'
import { jobHandlers } from '../../src/background.ts'
import type { ConnectedDatabase } from '../../src/database/connect.ts'
import { getPackageImport } from '../../src/features/packages/api/get-package-import.ts'
import { importPackage } from '../../src/features/packages/api/import-package.ts'
import { startJobRunner } from '../../src/jobs/job-runner.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import type { Caller } from '../world/caller.ts'
import { openWorld, type World } from '../world/open-world.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

export type Files = Record<string, string | Buffer | object>

/** A valid manifest with the changes of the test. */
export const manifestOf = (changes: object = {}) => ({
  name: 'greeting',
  version: '1.0',
  operatingSystems: ['Linux'],
  kind: 'software',
  commands: { install: { argv: ['true'] } },
  ...changes,
})

/** The service with its own package store and a job runner. */
export async function openPackageWorld(configuration: Partial<Configuration> = {}, template?: string) {
  const store = join(await openTemporaryFolder(), 'store')
  afterAll(() => rm(dirname(store), { recursive: true }))
  const options = { configuration: { packageStore: store, ...configuration }, ...(template && { template }) }
  return withImports({ ...(await openWorld(options)), store })
}

/** Carries out the jobs of the service until it is stopped. */
export const runJobs = ({ services }: App, database: ConnectedDatabase) =>
  startJobRunner({
    database,
    configuration: services.configuration,
    logger: pino({ level: 'silent' }),
    handlers: jobHandlers,
  })

/** A world with a job runner, and with folders that it imports. */
export async function withImports<W extends World & { store: string }>(world: W) {
  const { app, database, as, store } = world
  const jobs = await runJobs(app, database)
  afterAll(() => jobs.stop())

  /** Waits until the job is finished and returns it. */
  async function ended(trackingId: string) {
    return until(async () => {
      const { body } = await as('package.read').call(getPackageImport, { params: { trackingId } })
      return body.finishedAtUtc ? body : undefined
    }, 60_000)
  }

  return {
    ...world,
    ended,
    /** Writes files into a folder of the store. Objects are written as JSON. */
    async folder(path: string, files: Files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(store, path, name)), { recursive: true })
        const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
        await writeFile(join(store, path, name), isRaw ? content : JSON.stringify(content))
      }
      return path
    },
    /** Imports the folder and returns the finished job. */
    async imported(folderPath: string, overwrite = false, importer: Caller = as('package.write')) {
      const { body } = await importer.call(importPackage, { body: { folderPath, overwrite } })
      return ended(body.trackingId)
    },
  }
}
