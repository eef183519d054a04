import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { type Listeners, listen } from '../platform/http/listeners.ts'
import { sendMagicPackets } from '../platform/magic-packets.ts'
import { serviceVersion } from '../platform/version.ts'
import { contentStore } from './content-store.ts'
import type { DepotConfiguration } from './depot-configuration.ts'
import { fileServer } from './file-server.ts'
import { isUnreachable, type MasterClient, masterClient } from './master-client.ts'
import { synchronise } from './synchronise.ts'

export type RunningDepot = Listeners

type Surroundings = {
  /** Where computers reach the depot. */
  url: string
  configuration: DepotConfiguration
  logger: FastifyBaseLogger
  signal: AbortSignal
}

/** Serves what the depot holds, keeps it up to date, and tells the master server that it lives. */
export async function startDepot(configuration: DepotConfiguration, logger: FastifyBaseLogger): Promise<RunningDepot> {
  const listeners = await listen(fileServer(contentStore(configuration.directory), logger), configuration.listeners)
  const stopping = new AbortController()
  const url = configuration.url ?? reachableUrl(listeners.addresses)
  const work = keepInStep(masterClient(configuration), { url, configuration, logger, signal: stopping.signal })
  return {
    ...listeners,
    async close() {
      stopping.abort()
      await work
      await listeners.close()
    },
  }
}

/** The safest of the addresses; one that stands for all of the machine is told by its name. */
function reachableUrl(addresses: readonly string[]): string {
  const url = new URL(addresses.at(-1) ?? '')
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = hostname()
  return url.origin
}

/** One heartbeat after the other, and a synchronisation beside them when one is due or asked for. */
async function keepInStep(master: MasterClient, { url, configuration, logger, signal }: Surroundings): Promise<void> {
  const { directory, syncMinutes, heartbeatSeconds, listeners } = configuration
  const interval = syncMinutes * 60_000
  let nextSync = new Date()
  let interruptions = 0
  let sentWakeUps: number[] = []
  let running: Promise<void> | undefined
  while (!signal.aborted) {
    let isReached = true
    try {
      const report = { version: serviceVersion, nextSyncUtc: nextSync.toISOString(), url, sentWakeUps }
      const { waitingJobId, wakeUps } = await master.heartbeat(report, signal)
      sentWakeUps = [...(await sendMagicPackets(wakeUps, listeners))]
      if (sentWakeUps.length < wakeUps.length) logger.warn('Magic packets could not be sent.')
      if (!running && (waitingJobId !== null || nextSync <= new Date())) {
        nextSync = new Date(Date.now() + interval)
        running = syncOnce(master, directory, logger, signal).then((isInterrupted) => {
          running = undefined
          interruptions = isInterrupted ? interruptions + 1 : 0
          if (!isInterrupted) return
          // With the next heartbeat that succeeds; and if that does not help, ever more seldom.
          const soon = Math.min(interval, (2 ** interruptions - 2) * heartbeatSeconds * 1000)
          nextSync = new Date(Date.now() + soon)
        })
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'The master server could not be told that the depot lives.')
      isReached = false
    }
    // What was sent is confirmed at once, also because more of it may wait.
    if (!isReached || sentWakeUps.length === 0) await pause(heartbeatSeconds * 1000, signal)
  }
  await running
}

/** Resolves to true when the master server was lost on the way. */
async function syncOnce(
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
      const nothing = { packages: 0, filesTransferred: 0, bytesTransferred: 0 }
      return { status: 'Failed', message, ...nothing, isInterrupted: isUnreachable(error) } as const
    })
    logger.info({ jobId, ...result }, 'A synchronisation ended.')
    await master.endSync(jobId, result, signal)
    return isInterrupted
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'A synchronisation could not be carried out.')
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
