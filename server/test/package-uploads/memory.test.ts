import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bytesType } from '../../src/platform/operation.ts'
import { accessToken, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'

const megabyte = 1_048_576
const megabytes = 400

/** The peak memory of the process, in bytes. */
async function peakMemory({ process: { pid } }: ServiceProcess): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

test.runIf(process.platform === 'linux')(
  'the memory of the service does not grow with the size of an upload',
  async () => {
    const service = await startServiceProcess({ env: { MUSTER_MIN_FREE_DISK: '0' } })
    const authorization = `Bearer ${await uploaderToken(service)}`
    const upload = async (count: number) => {
      const announced = await fetch(`${service.address}/api/package-uploads`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ fileName: 'bulk.bin', size: count * megabyte }),
      })
      const { id } = (await announced.json()) as { id: string }
      const address = `${service.address}/api/package-uploads/${id}`
      await fetch(address, {
        method: 'PATCH',
        headers: { authorization, 'content-type': bytesType, 'upload-offset': '0' },
        body: Readable.toWeb(Readable.from(chunksOf(count))) as ReadableStream,
        duplex: 'half',
      } as RequestInit)
      return (await (await fetch(address, { headers: { authorization } })).json()) as { state: string; sha256: string }
    }
    // Buffers of connections are collected once there are many of them.
    await upload(100)
    const before = await peakMemory(service)

    const { state, sha256 } = await upload(megabytes)

    const hash = createHash('sha256')
    for (const chunk of chunksOf(megabytes)) hash.update(chunk)
    expect({ state, sha256 }).toEqual({ state: 'Ready', sha256: hash.digest('hex') })
    expect((await peakMemory(service)) - before).toBeLessThan(40e6)
  },
  120_000,
)

/** Megabytes that all differ. */
function* chunksOf(count: number): Generator<Buffer> {
  for (let number = 0; number < count; number++) yield Buffer.alloc(megabyte, `${number} `)
}

async function uploaderToken(service: ServiceProcess): Promise<string> {
  const created = await fetch(`${service.address}/api/admin/local-principals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await accessToken(service)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'uploads', roles: ['package.write'], expiresAtUtc: null }),
  })
  const { clientId, plaintextKey } = (await created.json()) as { clientId: string; plaintextKey: string }
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: clientId },
    client_secret: plaintextKey,
  })
  const answer = await fetch(`${service.address}/api/auth/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}
