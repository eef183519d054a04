import { waitFor } from '@testing-library/dom'
import { expect } from 'vitest'
import type { LiveEvent } from '../../src/live/event-stream.ts'

/** The stream of events of the fake service. Nothing happens until a test says so. */
export class FakeEventSource {
  static readonly CLOSED = 2
  static open = new Set<FakeEventSource>()

  readyState = 0
  onopen: (() => void) | undefined
  onmessage: ((message: { data: string }) => void) | undefined
  onerror: (() => void) | undefined
  readonly address: string

  constructor(address: string) {
    this.address = address
    FakeEventSource.open.add(this)
    queueMicrotask(() => {
      this.readyState = 1
      this.onopen?.()
    })
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
    FakeEventSource.open.delete(this)
  }

  /** Sends an event to the page, once it listens. */
  static async emit(event: LiveEvent): Promise<void> {
    await waitFor(() => expect(FakeEventSource.open.size).toBeGreaterThan(0))
    for (const { onmessage } of FakeEventSource.open) onmessage?.({ data: JSON.stringify(event) })
  }
}

Object.assign(globalThis, { EventSource: FakeEventSource })
