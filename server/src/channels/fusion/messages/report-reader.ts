import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { programFile } from '../../../installation/files.ts'
import { detectPacking } from './inflate.ts'
import { readMessage } from './read-message.ts'
import { type AgentReport, readReport, toAgentReport } from './read-report.ts'
import { openReadingQueue, type ReadingLimits } from './reading-queue.ts'
import { UnreadableError } from './unreadable-error.ts'

/** Reads messages in worker threads so that large inventories do not block the service. */
export type ReportReader = {
  /** Reads a message that came with this enrolment token. Throws `UnreadableError` or `ReaderBusy`. */
  read(body: Buffer, tokenId: number): Promise<AgentReport>
  close(): Promise<void>
}

/** Prologs and contacts are this small. They are read at once, unless they unpack to more than expected. */
const smallMessageBytes = 1024
const smallInflatedBytes = 16_384

const readTimeoutMs = 10_000
const idleTimeoutMs = 300_000
const maxThreads = Math.max(1, availableParallelism())

/** All messages of the process share these. With two threads or more, one token never occupies all of them. */
const defaultLimits: ReadingLimits = {
  maxRunning: maxThreads,
  maxRunningPerToken: Math.max(1, maxThreads - 1),
  maxBytes: 64 * 1024 * 1024,
  maxBytesPerToken: 32 * 1024 * 1024,
}

export function openReportReader(limits = defaultLimits): ReportReader {
  const queue = openReadingQueue(limits)
  let threads: Piscina | undefined
  return {
    async read(body, tokenId) {
      const small = body.length <= smallMessageBytes ? readSmallMessage(body) : undefined
      if (small) return small
      threads ??= openThreads()
      const pool = threads
      return queue.run(tokenId, body.length, () => readInThread(pool, body))
    },
    close: async () => threads?.destroy(),
  }
}

function openThreads(): Piscina {
  return new Piscina({
    filename: pathToFileURL(programFile('channels/fusion/messages/read-report')).href,
    name: readReport.name,
    minThreads: 1,
    maxThreads,
    // Starting a thread costs more than reading a hundred inventories.
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
}

function readSmallMessage(body: Buffer): AgentReport | undefined {
  try {
    const message = readMessage(body, smallInflatedBytes)
    return message.action === 'inventory' ? undefined : toAgentReport(message)
  } catch (error) {
    // The threads read messages that unpack to more than expected.
    if (detectPacking(body) !== 'none' && error instanceof UnreadableError) return undefined
    throw error
  }
}

async function readInThread(threads: Piscina, body: Buffer): Promise<AgentReport> {
  const signal = AbortSignal.timeout(readTimeoutMs)
  const read: AgentReport | { unreadable: string } = await threads.run(body, { signal }).catch((error: Error) => {
    if (signal.aborted) throw new UnreadableError('The message takes too long to read')
    throw error
  })
  if ('unreadable' in read) throw new UnreadableError(read.unreadable)
  return read
}
