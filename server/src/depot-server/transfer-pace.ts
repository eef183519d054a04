import { ContentError } from './content-store.ts'

/** What a transfer must deliver. The rest of it is fetched by a later attempt. */
export type TransferPace = { windowMs: number; minBytes: number }

/** In a minute, even a line with 10 kbit/s transfers this much. */
export const defaultTransferPace: TransferPace = { windowMs: 60_000, minBytes: 64 * 1024 }

/** Watches one transfer so that a master server that sends slowly does not keep the depot from its other packages. */
export function watchTransfer({ windowMs, minBytes }: TransferPace) {
  const tooSlow = new AbortController()
  let [received, before] = [0, 0]
  const timer = setInterval(() => {
    if (received - before < minBytes)
      tooSlow.abort(new ContentError(`The master server sent only ${received - before} bytes in ${windowMs} ms.`, true))
    before = received
  }, windowMs)
  return {
    signal: tooSlow.signal,
    async *count(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of body) {
        received += chunk.length
        yield chunk
      }
    },
    end: () => clearInterval(timer),
  }
}
