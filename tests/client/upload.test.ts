import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerOf, createMusterClient, type Send } from '@muster/client'
import { uploadFile } from '@muster/client/upload'
import { Upload } from 'tus-js-client'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { serveWorld } from './client-world.ts'

const packageStore = await mkdtemp(join(tmpdir(), 'muster-upload-'))
afterAll(() => rm(packageStore, { recursive: true }))
const world = await openWorld({ configuration: { packageStore, minFreeDiskMegabytes: 0 } })
const { address, credentials } = await serveWorld(world)
const client = createMusterClient({ address, credentials })

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const fileOf = (content: Buffer, name = 'setup.bin') => ({
  name,
  content: new Blob([new Uint8Array(content)]),
  fingerprint: `${name}-${sha256Of(content)}`,
})

test('the library of tus uploads a file in chunks with nothing but the address and a token', async () => {
  const content = randomBytes(250_000)
  const { access_token: token } = await answerOf(client.GET('/api/service/whoami')).then(async () => {
    const body = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: credentials.clientId },
      client_secret: credentials.clientSecret,
    })
    return (await (await fetch(`${address}/api/auth/token`, { method: 'POST', body })).json()) as {
      access_token: string
    }
  })

  const url = await new Promise<string | null>((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint: `${address}/api/package-uploads`,
      headers: { authorization: `Bearer ${token}` },
      metadata: { filename: 'by-library.bin' },
      chunkSize: 100_000,
      retryDelays: null,
      onError: reject,
      onSuccess: () => resolve(upload.url),
    })
    upload.start()
  })

  const id = url?.split('/').at(-1) ?? ''
  const stored = await answerOf(client.GET('/api/package-uploads/{id}', { params: { path: { id } } }))
  expect(stored).toMatchObject({ fileName: 'by-library.bin', state: 'Ready', sha256: sha256Of(content) })
})

/** A client whose nth request with bytes reaches the service only in part, and whose answer is lost. */
function unreliable(broken: number) {
  const sent: string[] = []
  let requests = 0
  const send: Send = async (request) => {
    sent.push(request.method)
    if (request.method !== 'PATCH' || ++requests !== broken) return fetch(request)
    const bytes = Buffer.from(await request.arrayBuffer())
    await fetch(new Request(request.url, { method: 'PATCH', headers: request.headers, body: bytes.subarray(0, 1_000) }))
    throw new TypeError('The connection was lost.')
  }
  return { client: createMusterClient({ address, credentials, send }), sent }
}

test('an upload continues where the service is after its connection was lost', async () => {
  const content = randomBytes(100_000)
  const { client: weak, sent } = unreliable(1)

  const upload = await uploadFile(weak, fileOf(content))

  expect(upload).toMatchObject({ state: 'Ready', sha256: sha256Of(content) })
  // The position is read between the two requests with bytes.
  expect(sent.filter((method) => method === 'PATCH' || method === 'HEAD')).toEqual(['PATCH', 'HEAD', 'PATCH'])
})

test('an upload that was interrupted continues in another run, and a complete one is not sent again', async () => {
  const content = randomBytes(20 * 1024 * 1024)
  const file = fileOf(content, 'large.bin')
  const interruption = new AbortController()
  const stop = (received: number) => received > 0 && interruption.abort()
  await uploadFile(client, file, { signal: interruption.signal, onProgress: stop }).catch(() => undefined)
  const { items } = await answerOf(client.GET('/api/package-uploads', { params: { query: { own: true } } }))
  const begun = items.find(({ fileName }) => fileName === 'large.bin')

  const finished = await uploadFile(client, file)
  const { client: other, sent } = unreliable(0)
  const again = await uploadFile(other, file)

  expect(begun?.received).toBeGreaterThan(0)
  expect(begun?.received).toBeLessThan(content.length)
  expect(finished).toMatchObject({ id: begun?.id, state: 'Ready', sha256: sha256Of(content) })
  expect(again.id).toBe(finished.id)
  expect(sent).not.toContain('PATCH')
}, 30_000)

test('a problem of the service is the problem that the caller gets', async () => {
  const other = await world.given.localPrincipal({ roles: ['package.read'] })
  const weak = createMusterClient({ address, credentials: { clientId: other.clientId, clientSecret: other.secret } })

  await expect(uploadFile(weak, fileOf(Buffer.from('x')))).rejects.toMatchObject({ code: 'Forbidden' })
  await expect(uploadFile(client, fileOf(Buffer.from('x'), 'a:b'))).rejects.toMatchObject({ code: 'InvalidRequest' })
})

test('the token is sent to the service only, whatever address its answer names', async () => {
  const targets: string[] = []
  const send: Send = async (request) => {
    targets.push(new URL(request.url).origin)
    const response = await fetch(request)
    if (request.method !== 'POST' || !request.url.endsWith('/package-uploads')) return response
    return new Response(response.body, {
      status: 201,
      headers: { location: 'http://127.0.0.1:9/api/package-uploads/x' },
    })
  }
  const lured = createMusterClient({ address, credentials, send })

  await expect(uploadFile(lured, fileOf(randomBytes(10)))).rejects.toMatchObject({ code: 'ForeignAddress' })
  expect(new Set(targets)).toEqual(new Set([address]))
})
