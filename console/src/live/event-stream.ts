/** An event of the service, as far as the console needs it. */
export type LiveEvent = { type: string; data: { computerId?: number } }

export type Subscription = {
  /** Types of events; `*` at the end stands for any. */
  types: readonly string[]
  onEvent(event: LiveEvent): void
  /** The stream is back after it was away: events may have been missed. */
  onReturn(): void
}

/** `away`: the stream cannot be read at the moment. `idle`: nobody listens, or nobody looks at the page. */
export type StreamState = 'idle' | 'connecting' | 'live' | 'away'

const matches = (pattern: string, type: string) =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

/** As patterns: a person whose roles do not allow one type still follows the others. */
const wantedTypes = ({ types }: Subscription) => types.map((type) => (type.endsWith('*') ? type : `${type}*`))

// Pages mount and unmount their subscriptions one by one: the connection is made again only for the last change.
const settleMilliseconds = 50
const retryMilliseconds = 5_000

/**
 * One connection to the events of the service for a tab, with the types that its page needs. Browsers allow few
 * connections to a host, so a tab in the background has none.
 */
export class EventStream extends EventTarget {
  #subscriptions = new Set<Subscription>()
  #source: EventSource | undefined
  #types = ''
  #state: StreamState = 'idle'
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Those that were subscribed when the stream went away: what they show may be outdated. */
  #missed = new Set<Subscription>()
  #connectSoon = () => this.#connectIn(settleMilliseconds)

  get state(): StreamState {
    return this.#state
  }

  open(): void {
    document.addEventListener('visibilitychange', this.#connectSoon)
    this.#connectSoon()
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#connectSoon)
    clearTimeout(this.#timer)
    this.#disconnect()
  }

  subscribe(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription)
    this.#connectSoon()
    return () => {
      this.#subscriptions.delete(subscription)
      this.#connectSoon()
    }
  }

  #connectIn(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#connect(), milliseconds)
  }

  #connect(): void {
    const types = [...new Set([...this.#subscriptions].flatMap(wantedTypes))].sort().join(',')
    if (types === '' || document.hidden) {
      this.#disconnect()
      return
    }
    if (this.#source && types === this.#types && this.#source.readyState !== EventSource.CLOSED) return
    this.#source?.close()
    this.#types = types
    const source = new EventSource(`/api/events/stream?named=false&types=${encodeURIComponent(types)}`)
    this.#source = source
    if (this.#state !== 'away') this.#become('connecting')
    source.onopen = () => {
      this.#become('live')
      for (const one of this.#missed) if (this.#subscriptions.has(one)) one.onReturn()
      this.#missed.clear()
    }
    source.onmessage = ({ data }) => this.#deliver(JSON.parse(String(data)) as LiveEvent)
    source.onerror = () => {
      this.#missed = new Set(this.#subscriptions)
      this.#become('away')
      // The browser connects again by itself, unless the answer was an error.
      if (source.readyState === EventSource.CLOSED) this.#connectIn(retryMilliseconds)
    }
  }

  #disconnect(): void {
    if (this.#source) this.#missed = new Set(this.#subscriptions)
    this.#source?.close()
    this.#source = undefined
    this.#types = ''
    this.#become('idle')
  }

  #deliver(event: LiveEvent): void {
    for (const { types, onEvent } of this.#subscriptions)
      if (types.some((pattern) => matches(pattern, event.type))) onEvent(event)
  }

  #become(state: StreamState): void {
    if (state === this.#state) return
    this.#state = state
    this.dispatchEvent(new Event('change'))
  }
}
