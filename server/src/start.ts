import { type Background, startBackground } from './background.ts'
import { startWorkers } from './cluster/start-workers.ts'
import { migrateAsOwner } from './database/migrations/migrate-as-owner.ts'
import { openDatabase } from './database/open-database.ts'
import { describeThisMachine, ensureMasterServer } from './features/depots/master-server.ts'
import { checkBootstrapSecret } from './features/principals/check-bootstrap-secret.ts'
import { type FirstAdministrator, seedFirstAdministrator } from './features/principals/first-administrator.ts'
import { findLinkAddress, insertSignInLink } from './features/principals/sign-in-links.ts'
import { serviceVersion } from './installation/version.ts'
import { openServerKeys } from './platform/authentication/server-keys.ts'
import type { Configuration } from './platform/configuration.ts'
import type { KeyFile } from './platform/keys/key-file.ts'
import { openActivity } from './platform/load/activity.ts'
import { openLogger } from './platform/open-logger.ts'
import { endInTime, stopMs } from './platform/stop-in-time.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'
import { type Serving, startServing } from './serve.ts'

export type RunningService = {
  addresses: string[]
  /** Set only at the first start of an installation. */
  firstAdministrator: FirstAdministrator | undefined
  /** Creates a link that signs in as the principal, once. Undefined if no such link can work with this configuration. */
  createSignInLink(principalId: number): Promise<string | undefined>
  reloadCertificate(): Promise<void>
  stop(): Promise<void>
}

/** Called after each phase of the start, with its name and a detail worth knowing. */
export type ReportPhase = (phase: string, detail: string) => void

export async function startService(configuration: Configuration, report: ReportPhase): Promise<RunningService> {
  const { mode, workers } = configuration
  const logger = openLogger(configuration.logLevel)
  const tracing = await openTracing(configuration.otlp, { logger, version: serviceVersion })
  const steps: string[] = []
  const database = await openDatabase(configuration, {
    report: (step) => steps.push(step),
    warn: (message) => logger.warn(message),
  })
  let serving: Serving | undefined
  let background: Background | undefined
  const stop = async () => {
    const deadline = performance.now() + stopMs
    database.prepareToClose()
    await Promise.all([serving?.stop(), background && endInTime(background.stop(), database)])
    await Promise.all([tracing?.close(), database.close(Math.max(1, deadline - performance.now()))])
  }
  try {
    report('database', configuration.databaseUrl ? 'external' : ['embedded', ...steps].join(', '))
    const applied = await migrateAsOwner(database, configuration.databaseOwnerUrl, {
      warn: (message) => logger.warn(message),
    })
    report('migrations', applied.length > 0 ? `${applied.length} applied` : 'up to date')
    const keys = await openServerKeys(database.db, configuration.keyFile)
    report('keys', describeKeyFile(configuration.keyFile))
    if (configuration.keyFile?.isReadableByAll) logger.warn('Every user of this machine can read the key file.')
    const weakness = await checkBootstrapSecret(database.db, configuration)
    if (weakness) logger.warn(weakness)
    await ensureMasterServer(database.db, await describeThisMachine())
    const parts = { database, configuration, logger, tracing }
    const activity = openActivity()
    serving = workers > 1 ? await startWorkers(parts, activity.note) : await startServing(parts, activity.note)
    const { addresses, reloadCertificate } = serving
    report('application', workers > 1 ? `${mode} mode, ${workers} workers` : `${mode} mode`)
    background = await startBackground(parts, { recordJobBeat: serving.recordJobBeat, activity })
    report('jobs', 'ready')
    // Last, because the generated secret is shown once, and only if the start succeeds.
    const firstAdministrator = await seedFirstAdministrator(database.db, keys, configuration.bootstrap)
    const { localSignIn, signInLinks, publicUrl } = configuration
    const createSignInLink = async (principalId: number) =>
      localSignIn && signInLinks && findLinkAddress({ addresses, publicUrl }, '') !== undefined
        ? findLinkAddress({ addresses, publicUrl }, await insertSignInLink(database.db, keys, principalId))
        : undefined
    return { addresses, firstAdministrator, createSignInLink, reloadCertificate, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function describeKeyFile(keyFile: KeyFile | undefined): string {
  return keyFile ? `protected by the key file ${keyFile.id}` : 'stored with the data; MUSTER_KEY_FILE protects them'
}
