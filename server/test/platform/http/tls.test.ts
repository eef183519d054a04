import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../../src/platform/http/listeners.ts'
import { openWorld } from '../../world/open-world.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-tls-'))
const tls = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem'), port: 0 }

async function writeCertificate(name: string): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { keySize: 2048 })
  await Promise.all([writeFile(tls.certificateFile, cert), writeFile(tls.keyFile, key)])
}

await writeCertificate('first.example.org')
const { app } = await openWorld()
const configuration = { ...app.services.configuration, port: 0, tls }
const listeners = await listen(app.http, configuration)
afterAll(async () => {
  await listeners.close()
  await rm(folder, { recursive: true })
})

const [plain = '', secure = ''] = listeners.addresses

/** Status of /health, and the name in the certificate that was shown. */
function healthOver(address: string): Promise<{ status: number | undefined; name: unknown }> {
  return new Promise((resolve, reject) => {
    get(`${address}/health`, { rejectUnauthorized: false, agent: false }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate()
      response.resume().on('end', () => resolve({ status: response.statusCode, name: subject.CN }))
    }).on('error', reject)
  })
}

test('the service answers over HTTP and over HTTPS', async () => {
  expect((await fetch(`${plain}/health`)).status).toBe(200)
  expect(await healthOver(secure)).toEqual({ status: 200, name: 'first.example.org' })
})

test('a new certificate is used after it is reloaded, without a restart', async () => {
  await writeCertificate('second.example.org')

  const before = await healthOver(secure)
  await listeners.reloadCertificate()
  const after = await healthOver(secure)

  expect([before.name, after.name]).toEqual(['first.example.org', 'second.example.org'])
})

test('reloading an invalid certificate keeps the old one', async () => {
  await writeFile(tls.certificateFile, 'nonsense')

  await expect(listeners.reloadCertificate()).rejects.toThrow()

  expect((await healthOver(secure)).status).toBe(200)
})

test('plain HTTP can be switched off only if HTTPS is configured', async () => {
  await writeCertificate('third.example.org')
  const { app: other } = await openWorld()

  await expect(listen(other.http, { ...configuration, plainHttp: false, tls: undefined })).rejects.toThrow(
    'MUSTER_PLAIN_HTTP',
  )
  const only = await listen(other.http, { ...configuration, plainHttp: false })

  expect(only.addresses).toEqual([expect.stringMatching(/^https:/)])
  await only.close()
})
