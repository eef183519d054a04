export type LoggedEvent = {
  position: number
  type: string
  /** The path of the resource that the event is about. */
  subject: string
  /** Set if the event is about one computer. */
  computer_id: number | null
  occurred_at: Date
  data: Record<string, unknown>
  /** The trace of the request or job that made the change; null if none is known. */
  traceparent: string | null
}

export type EventFollower = {
  /** The last position that the follower has. It gets the events after it. */
  after: number
  /** Must not wait for anything: all followers get the events one after the other. */
  deliver(events: readonly LoggedEvent[]): void
  /** Called regularly with the position up to which everything was delivered. */
  beat(position: number): void
  /** No more events follow: the service stops, or the hub has lost its place in the log. */
  end(): void
}

export type EventHub = {
  /** Waits until the hub follows the log. It begins to do so with the first call. */
  start(): Promise<void>
  /**
   * Delivers to the follower from now on. Returns false if the hub no longer has the events after its position: the
   * follower then has to read them from the log before it tries again.
   */
  follow(follower: EventFollower): boolean
  leave(follower: EventFollower): void
  followerCount(): number
  /** Ends the streams of all followers, and accepts no others. */
  endStreams(): void
  close(): Promise<void>
}
