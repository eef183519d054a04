import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { serviceVersion } from '../installation/version.ts'
import { type Listeners, listen } from '../platform/http/listeners.ts'
import { openDownloadRates } from '../platform/load/download-rates.ts'
import { sendMagicPackets } from '../platform/magic-packets.ts'
import { openContentStore } from './content-store.ts'
import type { DepotConfiguration } from './depot-configuration.ts'
import { buildFileServer } from './file-server.ts'
import { createMasterClient, type MasterClient } from './master-client.ts'
import { isRetryable, synchronise } from './synchronise.ts'

export type RunningDepot = Listeners

type DepotContext = {
  /** The address at which computers reach the depot. */
  url: string
  configuration: DepotConfiguration
  logger: FastifyBaseLogger
  signal: AbortSignal
}

/** Serves the files of the depot, synchronises them with the master server and sends heartbeats. */
export async function startDepot(configuration: DepotConfiguration, logger: FastifyBaseLogger): Promise<RunningDepot> {
  const listeners = await listen(
    buildFileServer(
      openContentStore(configuration.directory),
      logger,
      // A depot is one process, whatever the number of workers of a service.
      openDownloadRates(configuration.listeners.networkRates, 1),
    ),
    configuration.listeners,
  )
  const stopping = new AbortController()
  const url = configuration.url ?? reachableUrl(listeners.addresses)
  const work = runHeartbeats(createMasterClient(configuration), { url, configuration, logger, signal: stopping.signal })
  return {
    ...listeners,
    async close() {
      stopping.abort()
      await work
      await listeners.close()
    },
  }
}

/** The URL of the last listener, which is HTTPS if there is one. A wildcard address is replaced by the host name. */
function reachableUrl(addresses: readonly string[]): string {
  const url = new URL(addresses.at(-1) ?? '')
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = hostname()
  return url.origin
}

/** Sends heartbeats until the signal aborts, and synchronises concurrently when a job is due or requested. */
async function runHeartbeats(
  master: MasterClient,
  { url, configuration, logger, signal }: DepotContext,
): Promise<void> {
  const { directory, syncMinutes, heartbeatSeconds, listeners } = configuration
  const interval = syncMinutes * 60_000
  let nextSync = new Date()
  let interruptions = 0
  let sentWakeUps: number[] = []
  let running: Promise<void> | undefined
  while (!signal.aborted) {
    let isReachable = true
    try {
      const report = { version: serviceVersion, nextSyncUtc: nextSync.toISOString(), url, sentWakeUps }
      const { waitingJobId, wakeUps } = await master.heartbeat(report, signal)
      sentWakeUps = [...(await sendMagicPackets(wakeUps, listeners))]
      if (sentWakeUps.length < wakeUps.length) logger.warn('Some wake-on-LAN packets could not be sent.')
      if (!running && (waitingJobId !== null || nextSync <= new Date())) {
        nextSync = new Date(Date.now() + interval)
        running = runSync(master, directory, logger, signal).then((isInterrupted) => {
          running = undefined
          interruptions = isInterrupted ? interruptions + 1 : 0
          if (!isInterrupted) return
          // Retry at the next successful heartbeat, then with increasing delays.
          const retryDelay = Math.min(interval, (2 ** interruptions - 2) * heartbeatSeconds * 1000)
          nextSync = new Date(Date.now() + retryDelay)
        })
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'The heartbeat could not be sent to the master server.')
      isReachable = false
    }
    // Sent wake-ups are confirmed at once, because more of them may be waiting.
    if (!isReachable || sentWakeUps.length === 0) await pause(heartbeatSeconds * 1000, signal)
  }
  await running
}

/** Resolves to true if retrying soon makes sense. */
async function runSync(
  master: MasterClient,
  directory: string,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { jobId } = await master.beginSync(signal)
    const { isInterrupted, ...result } = await synchronise(master, directory, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      const message = (error as Error).message.slice(0, 1000).toWellFormed()
      const noTransfers = { packages: 0, filesTransferred: 0, bytesTransferred: 0 }
      return { status: 'Failed', message, ...noTransfers, isInterrupted: isRetryable(error) } as const
    })
    logger.info({ jobId, ...result }, 'A synchronisation job has ended.')
    await master.endSync(jobId, result, signal)
    return isInterrupted
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'A synchronisation job failed.')
    return true
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, milliseconds)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
