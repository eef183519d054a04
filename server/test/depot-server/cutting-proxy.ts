import { createServer, request as requestTo } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type CuttingProxy = { url: URL; ranges: (string | undefined)[] }

export type Cuts = {
  /** How many of the first file contents are cut. */
  cuts: number
  afterBytes: number
  /** Whether the connection then breaks, or stays open and silent. */
  afterwards?: 'break' | 'wait'
}

/** Passes everything on, but only some bytes of the first file contents. */
export async function cuttingProxy(target: URL, { cuts, afterBytes, afterwards = 'break' }: Cuts) {
  const ranges: (string | undefined)[] = []
  let left = cuts
  const server = createServer((incoming, outgoing) => {
    const isContent = /\/files\/[\da-f]{64}$/.test(incoming.url ?? '')
    if (isContent) ranges.push(incoming.headers.range)
    const { method, headers } = incoming
    const passed = requestTo(new URL(incoming.url ?? '', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!isContent || left === 0) return answer.pipe(outgoing)
      left -= 1
      let sent = 0
      answer.on('data', (piece: Buffer) => {
        if (sent >= afterBytes) return
        const part = piece.subarray(0, afterBytes - sent)
        sent += part.length
        outgoing.write(part, () => {
          if (sent >= afterBytes && afterwards === 'break') outgoing.destroy()
        })
      })
    })
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/`), ranges } satisfies CuttingProxy
}
