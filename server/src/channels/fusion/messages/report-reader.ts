import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { detectPacking } from './inflate.ts'
import { readMessage } from './read-message.ts'
import { type AgentReport, readReport, toAgentReport } from './read-report.ts'
import { UnreadableError } from './unreadable-error.ts'

/** Reads messages in worker threads, so that large inventories do not block the service. */
export type ReportReader = {
  /** Throws `UnreadableError` or `ReaderBusy`. */
  read(body: Buffer): Promise<AgentReport>
  close(): Promise<void>
}

export class ReaderBusy extends Error {
  override name = 'ReaderBusy'
}

/** Prologs and contacts are this small. They are read at once, unless they unpack to more than expected. */
const smallMessageBytes = 1024
const smallInflatedBytes = 16_384

const readTimeoutMs = 10_000
const maxQueuedMessages = 1000
const idleTimeoutMs = 300_000

export function openReportReader(): ReportReader {
  let threads: Piscina | undefined
  return {
    async read(body) {
      const small = body.length <= smallMessageBytes ? readSmallMessage(body) : undefined
      if (small) return small
      threads ??= openThreads()
      return readInThread(threads, body)
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
    // Starting a thread costs more than reading a hundred inventories.
    idleTimeout: idleTimeoutMs,
    maxQueue: maxQueuedMessages,
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
    if (error.message === 'Task queue is at limit') throw new ReaderBusy('Too many messages are waiting to be read')
    throw error
  })
  if ('unreadable' in read) throw new UnreadableError(read.unreadable)
  return read
}
