import { useSyncExternalStore } from 'react'
import { api } from '../../../api/client.ts'

/** A file that this page sends. */
export type Transfer = {
  /** Name, size and time of the file. The upload is found again by it, after a reload as well. */
  fingerprint: string
  file: File
  received: number
  state: 'Waiting' | 'Sending' | 'Paused' | 'Failed'
  error?: unknown
}

/** More at once would not be faster. */
const maxSending = 2

/** Kept beside the pages so that a transfer continues while another page is shown. */
let transfers: readonly Transfer[] = []
const interruptions = new Map<string, AbortController>()
const listeners = new Set<() => void>()
let onEnd = () => {}

export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(subscribe, () => transfers)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the function whenever a transfer ends, whatever its outcome. */
export function notifyOnEnd(listener: () => void): void {
  onEnd = listener
}

const fingerprintOf = ({ name, size, lastModified }: File) => `${name}-${size}-${lastModified}`

/** Sends files. One that is being sent already is not sent twice, and one that was paused or failed continues. */
export function startTransfers(files: readonly File[]): void {
  for (const file of files) {
    const fingerprint = fingerprintOf(file)
    const known = transfers.find((transfer) => transfer.fingerprint === fingerprint)
    if (!known) replace([...transfers, { fingerprint, file, received: 0, state: 'Waiting' }])
    else if (known.state !== 'Sending') update(fingerprint, { state: 'Waiting' })
  }
  sendNext()
}

export function pauseTransfer(fingerprint: string): void {
  update(fingerprint, { state: 'Paused' })
  interruptions.get(fingerprint)?.abort()
}

/** Takes a transfer from the list. What has arrived stays on the service. */
export function dropTransfer(fingerprint: string): void {
  interruptions.get(fingerprint)?.abort()
  replace(transfers.filter((transfer) => transfer.fingerprint !== fingerprint))
}

function sendNext(): void {
  for (const { fingerprint, file } of transfers.filter(({ state }) => state === 'Waiting')) {
    if (interruptions.size >= maxSending) return
    // One that was paused a moment ago may still be ending.
    if (!interruptions.has(fingerprint)) void send(fingerprint, file)
  }
}

async function send(fingerprint: string, file: File): Promise<void> {
  const interruption = new AbortController()
  interruptions.set(fingerprint, interruption)
  update(fingerprint, { state: 'Sending', error: undefined })
  try {
    // Loaded when the first file is sent.
    const { uploadFile } = await import('@muster/client/upload')
    const onProgress = (received: number) => update(fingerprint, { received })
    await uploadFile(api, { name: file.name, content: file, fingerprint }, { signal: interruption.signal, onProgress })
    replace(transfers.filter((transfer) => transfer.fingerprint !== fingerprint))
  } catch (error) {
    if (!interruption.signal.aborted) update(fingerprint, { state: 'Failed', error })
  } finally {
    interruptions.delete(fingerprint)
    onEnd()
    sendNext()
  }
}

function update(fingerprint: string, changes: Partial<Transfer>): void {
  replace(transfers.map((one) => (one.fingerprint === fingerprint ? { ...one, ...changes } : one)))
}

function replace(next: readonly Transfer[]): void {
  transfers = next
  const isBusy = next.some(({ state }) => state === 'Waiting' || state === 'Sending')
  if (isBusy) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
  for (const listener of listeners) listener()
}

/** Closing the tab would interrupt what is being sent. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
