import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './expected-error.ts'
import { log } from './log.ts'
import { Refused, type ServerClient, ServerUnavailable } from './server-client.ts'

/** The connection on which the server asks for a contact. Without it, the agent makes contact at its interval. */
export type WakeChannel = {
  /** Whether the server can call the agent now. */
  isConnected(): boolean
  close(): void
}

export type WakeChannelOptions = {
  /** With the credential that is current. */
  client(): Promise<Pick<ServerClient, 'wake'>>
  /** Asks for a contact now. */
  onCall(): void
  stopping: AbortSignal
  /** For tests. */
  limits?: Partial<WakeLimits>
}

const second = 1_000
const minute = 60 * second

const defaultLimits = {
  /** The server sends a sign of life every 25 seconds. */
  maxSilenceMs: 55 * second,
  /** Contacts that the server asks for are at least this far apart, whatever it sends. */
  minCallIntervalMs: 5 * second,
  /** A server that sends more within a minute is hostile or confused: a word takes 8 bytes. */
  maxBytesPerMinute: 16_384,
  /** A connection that ends sooner counts as a failure. */
  minLifeMs: minute,
  firstPauseMs: second,
  maxPauseMs: 5 * minute,
  /** An earlier server, or a proxy, does not know the channel. */
  unsupportedPauseMs: 60 * minute,
  /** The server may have called while nobody listened: a contact follows within this time. */
  maxMissedMs: 10 * minute,
  /** An agent and a server that are restarted together, such as after a power cut, must not all come at once. */
  reconnectSpreadMs: 3 * second,
}

export type WakeLimits = typeof defaultLimits

/** Keeps a connection until the agent stops. */
export function startWakeChannel(options: WakeChannelOptions): WakeChannel {
  const { client, onCall } = options
  const limits = { ...defaultLimits, ...options.limits }
  const closing = new AbortController()
  const stopping = AbortSignal.any([options.stopping, closing.signal])
  const calls = paceCalls(onCall, limits.minCallIntervalMs)
  const missed = expectMissedCalls(onCall, limits.maxMissedMs)
  let isConnected = false

  async function keepConnection(signal: AbortSignal): Promise<'ended' | 'short'> {
    const silence = openSilence(limits.maxSilenceMs)
    const begunAt = performance.now()
    try {
      const answer = await (await client()).wake(AbortSignal.any([signal, silence.signal]))
      await readLines(answer.body, limits, {
        onSign() {
          isConnected = true
          silence.postpone()
        },
        onCall: calls.request,
      })
    } finally {
      silence.close()
      isConnected = false
    }
    return performance.now() - begunAt < limits.minLifeMs ? 'short' : 'ended'
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.aborted) {
      const resumed = watchClock()
      let pauseMs = Math.random() * limits.reconnectSpreadMs
      try {
        const outcome = await keepConnection(AbortSignal.any([stopping, resumed.signal]))
        failures = outcome === 'ended' ? 0 : failures + 1
        if (failures > 1) pauseMs = pauseAfter(failures, limits)
      } catch (error) {
        if (stopping.aborted) break
        if (resumed.signal.aborted) calls.request()
        else missed.expect()
        failures += 1
        pauseMs = pauseAfter(failures, limits, error)
        if (failures === 1) log(`The server cannot call this agent for now. ${messageOf(error)}`)
      } finally {
        resumed.close()
      }
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    }
    calls.close()
    missed.close()
  }

  void run()
  return { isConnected: () => isConnected, close: () => closing.abort() }
}

type LineEvents = { onSign(): void; onCall(): void }

/** The only word that has a meaning. */
const callWord = 'contact'

/** Reads to the end. Keeps no more of a line than the word is long. */
async function readLines(
  body: IncomingMessage,
  { maxBytesPerMinute }: WakeLimits,
  { onSign, onCall }: LineEvents,
): Promise<void> {
  let line = ''
  let budget = { bytes: 0, since: performance.now() }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (performance.now() - budget.since > minute) budget = { bytes: 0, since: performance.now() }
    budget.bytes += chunk.length
    if (budget.bytes > maxBytesPerMinute) {
      body.destroy()
      throw new ServerUnavailable('The server sends more than calls.')
    }
    const [first = '', ...others] = chunk.toString('latin1').split('\n')
    line = keep(line + first)
    for (const next of others) {
      if (line === callWord) onCall()
      line = keep(next)
    }
    onSign()
  }
}

const keep = (line: string) => line.slice(0, callWord.length + 1)

/** The first call has an effect at once, the next ones when enough time has passed since then. */
function paceCalls(onCall: () => void, minIntervalMs: number) {
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const call = () => {
    timer = undefined
    lastAt = performance.now()
    onCall()
  }
  return {
    request() {
      if (timer) return
      const waitMs = lastAt + minIntervalMs - performance.now()
      if (waitMs <= 0) return call()
      timer = setTimeout(call, waitMs)
      timer.unref()
    },
    close: () => clearTimeout(timer),
  }
}

/** One contact follows a lost connection, at a random time: a server that fails loses all its agents at once. */
function expectMissedCalls(onCall: () => void, maxMissedMs: number) {
  let timer: NodeJS.Timeout | undefined
  return {
    expect() {
      timer ??= setTimeout(
        () => {
          timer = undefined
          onCall()
        },
        maxMissedMs * (0.1 + 0.9 * Math.random()),
      ).unref()
    },
    close: () => clearTimeout(timer),
  }
}

function openSilence(maxMs: number) {
  const silent = new AbortController()
  const timer = setTimeout(
    () => silent.abort(new ServerUnavailable('The server has sent no sign of life for too long.')),
    maxMs,
  )
  return { signal: silent.signal, postpone: () => void timer.refresh(), close: () => clearTimeout(timer) }
}

const clockIntervalMs = 5 * second
const maxClockJumpMs = 30 * second

/** Notices that the computer was suspended: its connection is dead, and what it was woken for should begin. */
function watchClock() {
  const resumed = new AbortController()
  let last = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    if (now - last > clockIntervalMs + maxClockJumpMs) resumed.abort(new Error('The computer was suspended.'))
    last = now
  }, clockIntervalMs)
  timer.unref()
  return { signal: resumed.signal, close: () => clearInterval(timer) }
}

/** Doubles with each failure, with jitter: agents that lost the server together must not return together. */
function pauseAfter(failures: number, limits: WakeLimits, error?: unknown): number {
  const jitter = 0.5 + Math.random() / 2
  if (error instanceof Refused)
    return jitter * (error.status === 404 || error.status === 405 ? limits.unsupportedPauseMs : limits.maxPauseMs)
  const limit = Math.min(limits.maxPauseMs, limits.firstPauseMs * 2 ** (failures - 1))
  const requested = error instanceof ServerUnavailable ? (error.retryAfterSeconds ?? 0) * second : 0
  return Math.max(Math.min(requested, limits.unsupportedPauseMs), limit * jitter)
}
