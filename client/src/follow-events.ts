import { MusterProblem } from './problem.ts'
import type { Send } from './retries.ts'
import type { components } from './types.ts'

export type MusterEvent = components['schemas']['CloudEvent']

export type FollowOptions = {
  /** Types of events; `*` stands for any end. All by default. */
  types?: readonly string[]
  computerId?: number
  /** The position after which the stream begins; by default with the next event. */
  after?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Called when the service has accepted the stream, including after each reconnection. */
  onOpen?: () => void
}

const eventStreamType = 'text/event-stream'

/** A stream that ends at once must not be opened in a tight loop. */
const minStreamMs = 1_000

/** No event is larger. */
const maxMessageLength = 1024 * 1024

/**
 * The events as they happen. When a stream ends, because the token has expired or the node stops, the next one continues
 * after the last event, without a gap. `send` must fail if the service does not answer for long.
 */
export async function* followEvents(address: string, send: Send, options: FollowOptions): AsyncGenerator<MusterEvent> {
  const { signal, onOpen } = options
  let lastId = options.after
  while (!signal?.aborted) {
    const openedAt = Date.now()
    try {
      const response = await send(streamRequest(address, options, lastId))
      if (!response.headers.get('content-type')?.startsWith(eventStreamType))
        throw invalid('The answer of the service is not a stream of events.')
      onOpen?.()
      for await (const { id, data } of readMessages(response, signal)) {
        lastId = id ?? lastId
        const event = data === undefined ? undefined : parseEvent(data)
        // Not an event of the log: the answer to the next request says whether the right has ended.
        if (event && event.type !== 'muster.stream.ended') yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      // A response that breaks off while it is read. What `send` throws itself has been repeated already.
      if (!(error instanceof TypeError)) throw error
    }
    const restMs = openedAt + minStreamMs - Date.now()
    if (restMs > 0) await pause(restMs, signal)
  }
}

function streamRequest(address: string, { types, computerId, signal }: FollowOptions, lastId?: string): Request {
  const url = new URL('/api/events/stream', address)
  if (types) url.searchParams.set('types', types.join())
  if (computerId !== undefined) url.searchParams.set('computerId', String(computerId))
  const headers = { accept: eventStreamType, ...(lastId !== undefined && { 'last-event-id': lastId }) }
  return new Request(url, { headers, ...(signal && { signal }) })
}

type Message = { id?: string; data?: string }

/** The messages of a response with server-sent events. Heartbeats have an id and no data. */
async function* readMessages({ body }: Response, signal: AbortSignal | undefined): AsyncGenerator<Message> {
  if (!body) return
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  // The signal of a request may be lost when the request itself is collected, while its response is still read.
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > maxMessageLength) throw invalid('The stream of events has a message without an end.')
      yield* blocks.map(parseMessage)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await reader.cancel().catch(() => {})
  }
}

function parseMessage(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(id|data): ?(.*)$/.exec(line) ?? []
    if (field === 'id' && !isPosition(value)) throw invalid('The stream of events has an invalid position.')
    if (field === 'id') message.id = value
    if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
  }
  return message
}

/** A position is sent back in a header, which other characters would break. */
const isPosition = (text: string) => /^[\x20-\x7e]{0,200}$/.test(text)

function parseEvent(data: string): MusterEvent {
  try {
    const event = JSON.parse(data) as Partial<MusterEvent> | null
    if (typeof event?.type === 'string' && typeof event.data === 'object' && event.data) return event as MusterEvent
  } catch {}
  throw invalid('The stream of events has a message that is not an event.')
}

const invalid = (detail: string) => new MusterProblem({ code: 'InvalidAnswer', detail }, 200)

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => [clearTimeout(timer), resolve()], { once: true })
  })
}
