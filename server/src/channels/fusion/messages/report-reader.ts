import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { packingOf } from './inflate.ts'
import { readMessage } from './read-message.ts'
import { type Report, readReport, reportOf } from './read-report.ts'
import { Unreadable } from './unreadable-error.ts'

/** Reads messages without keeping the service from anything else. */
export type ReportReader = {
  /** Fails with `Unreadable`, or with `ReaderBusy`. */
  read(body: Buffer): Promise<Report>
  close(): Promise<void>
}

export class ReaderBusy extends Error {
  override name = 'ReaderBusy'
}

/** Greetings are this small. They are read at once, unless they turn out to be larger than they look. */
const small = 1024
const smallInflated = 16_384

const longestReading = 10_000
const mostWaiting = 1000
const longestIdleness = 300_000

export function openReportReader(): ReportReader {
  let threads: Piscina | undefined
  return {
    async read(body) {
      const greeting = body.length <= small ? readGreeting(body) : undefined
      if (greeting) return greeting
      threads ??= openThreads()
      return readIn(threads, body)
    },
    close: async () => threads?.destroy(),
  }
}

function openThreads(): Piscina {
  return new Piscina({
    filename: new URL('./read-report.ts', import.meta.url).href,
    name: readReport.name,
    minThreads: 1,
    maxThreads: Math.max(1, availableParallelism()),
    // A thread that has to be started first costs more than a hundred inventories.
    idleTimeout: longestIdleness,
    maxQueue: mostWaiting,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
}

function readGreeting(body: Buffer): Report | undefined {
  try {
    const message = readMessage(body, smallInflated)
    return message.action === 'inventory' ? undefined : reportOf(message)
  } catch (error) {
    // A message that is larger than it looks is for the threads.
    if (packingOf(body) !== 'none' && error instanceof Unreadable) return undefined
    throw error
  }
}

async function readIn(threads: Piscina, body: Buffer): Promise<Report> {
  const signal = AbortSignal.timeout(longestReading)
  const read: Report | { unreadable: string } = await threads.run(body, { signal }).catch((error: Error) => {
    if (signal.aborted) throw new Unreadable('It takes too long to read')
    if (error.message === 'Task queue is at limit') throw new ReaderBusy('Too many messages wait to be read')
    throw error
  })
  if ('unreadable' in read) throw new Unreadable(read.unreadable)
  return read
}
