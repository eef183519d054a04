import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { type Listeners, listen } from '../platform/http/listeners.ts'
import { sendMagicPackets } from '../platform/magic-packets.ts'
import { serviceVersion } from '../platform/version.ts'
import { contentStore } from './content-store.ts'
import type { DepotConfiguration } from './depot-configuration.ts'
import { fileServer } from './file-server.ts'
import { type MasterClient, masterClient } from './master-client.ts'
import { synchronise } from './synchronise.ts'

export type RunningDepot = Listeners

type Surroundings = {
  address: string
  configuration: DepotConfiguration
  logger: FastifyBaseLogger
  signal: AbortSignal
}

/** Serves what the depot holds, keeps it up to date, and tells the master server that it lives. */
export async function startDepot(configuration: DepotConfiguration, logger: FastifyBaseLogger): Promise<RunningDepot> {
  const listeners = await listen(fileServer(contentStore(configuration.directory), logger), configuration.listeners)
  const stopping = new AbortController()
  const address = configuration.address ?? addressOf(listeners)
  const work = keepInStep(masterClient(configuration), { address, configuration, logger, signal: stopping.signal })
  return {
    ...listeners,
    async close() {
      stopping.abort()
      await work
      await listeners.close()
    },
  }
}

/** One heartbeat after the other, and a synchronisation beside them when one is due or asked for. */
async function keepInStep(
  master: MasterClient,
  { address, configuration, logger, signal }: Surroundings,
): Promise<void> {
  const { directory, syncMinutes, heartbeatSeconds, listeners } = configuration
  let nextSync = new Date()
  let sentWakeUps: number[] = []
  let running: Promise<void> | undefined
  while (!signal.aborted) {
    let isReached = true
    try {
      const report = { version: serviceVersion, nextSyncUtc: nextSync.toISOString(), address, sentWakeUps }
      const { waitingJobId, wakeUps } = await master.heartbeat(report, signal)
      sentWakeUps = [...(await sendMagicPackets(wakeUps, listeners))]
      if (sentWakeUps.length < wakeUps.length) logger.warn('Magic packets could not be sent.')
      if (!running && (waitingJobId !== null || nextSync <= new Date())) {
        nextSync = new Date(Date.now() + syncMinutes * 60_000)
        running = syncOnce(master, directory, logger, signal).finally(() => {
          running = undefined
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

/** The listener, under a name that other computers can use. */
function addressOf({ addresses }: Listeners): string {
  const url = new URL(addresses.at(-1) ?? '')
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = hostname()
  return url.origin
}

async function syncOnce(
  master: MasterClient,
  directory: string,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { jobId } = await master.beginSync(signal)
    const result = await synchronise(master, directory, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      const message = (error as Error).message.slice(0, 1000).toWellFormed()
      return { status: 'Failed', message, packages: 0, filesTransferred: 0, bytesTransferred: 0 } as const
    })
    logger.info({ jobId, ...result }, 'A synchronisation ended.')
    await master.endSync(jobId, result, signal)
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'A synchronisation could not be carried out.')
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
