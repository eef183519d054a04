import { createServer, request as requestTo } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type CuttingProxy = { url: URL; ranges: (string | undefined)[] }

export type Cuts = {
  /** How many downloads are cut off, starting with the first. */
  cuts: number
  afterBytes: number
  /** Whether the connection is then closed, or stays open without data. */
  afterwards?: 'break' | 'wait'
}

/** Forwards all requests, but only the first bytes of the first downloads. */
export async function cuttingProxy(target: URL, { cuts, afterBytes, afterwards = 'break' }: Cuts) {
  const ranges: (string | undefined)[] = []
  let remainingCuts = cuts
  const server = createServer((incoming, outgoing) => {
    const isContent = /\/files\/[\da-f]{64}$/.test(incoming.url ?? '')
    if (isContent) ranges.push(incoming.headers.range)
    const { method, headers } = incoming
    const forwarded = requestTo(new URL(incoming.url ?? '', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!isContent || remainingCuts === 0) return answer.pipe(outgoing)
      remainingCuts -= 1
      let sent = 0
      answer.on('data', (chunk: Buffer) => {
        if (sent >= afterBytes) return
        const part = chunk.subarray(0, afterBytes - sent)
        sent += part.length
        outgoing.write(part, () => {
          if (sent >= afterBytes && afterwards === 'break') outgoing.destroy()
        })
      })
    })
    outgoing.on('close', () => forwarded.destroy())
    // A client that goes away before the answer has begun.
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
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
