import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { get, request as requestSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { diskScript } from '../../../src/channels/pxe/boot-script.ts'
import { insertSignInLink } from '../../../src/features/principals/sign-in-links.ts'
import { listen } from '../../../src/platform/http/listeners.ts'
import { readCertificate } from '../../../src/platform/tls/certificate.ts'
import { openWorld } from '../../world/open-world.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-tls-'))
const tls = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem'), port: 0 }

async function writeCertificate(name: string): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { keySize: 2048 })
  await Promise.all([writeFile(tls.certificateFile, cert), writeFile(tls.keyFile, key)])
}

await writeCertificate('first.example.org')
const { app, db, given } = await openWorld()
const boot = { host: '127.0.0.1', port: 0 }
const configuration = { ...app.services.configuration, port: 0, tls, boot }
const listeners = await listen(app.http, configuration)
afterAll(async () => {
  await listeners.close()
  await rm(folder, { recursive: true })
})

const [plain = '', secure = '', bootAddress = ''] = listeners.addresses
const bootPort = Number(new URL(bootAddress).port)

/** Status of /health, the name in the certificate that was shown, and the order to use only HTTPS from now on. */
function healthOver(address: string): Promise<{ status: number | undefined; name: unknown; strict: unknown }> {
  return new Promise((resolve, reject) => {
    get(`${address}/health`, { rejectUnauthorized: false, agent: false }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate()
      const strict = response.headers['strict-transport-security']
      response.resume().on('end', () => resolve({ status: response.statusCode, name: subject.CN, strict }))
    }).on('error', reject)
  })
}

/** Sends the path to the boot listener as it is, which `fetch` would not do. */
function fromBootListener(path: string, method = 'GET'): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: bootPort, host: '127.0.0.1', path, method, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    sent.on('error', reject).end()
  })
}

test('the service answers over HTTP and over HTTPS', async () => {
  const inClear = await fetch(`${plain}/health`)
  expect([inClear.status, inClear.headers.get('strict-transport-security')]).toEqual([200, null])
  expect(await healthOver(secure)).toEqual({ status: 200, name: 'first.example.org', strict: 'max-age=31536000' })
})

test('the boot listener serves scripts and its health', async () => {
  expect(bootAddress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/boot$/)
  expect(await fromBootListener('/boot/ipxe/02-00-00-00-00-17')).toMatchObject({ status: 200, body: diskScript })
  expect(await fromBootListener('/health')).toMatchObject({ status: 200 })
})

test.each([
  ['POST', '/api/auth/token'],
  ['GET', '/api/service/whoami'],
  ['GET', '/admin/'],
  ['POST', '/admin/session'],
  ['POST', '/agent/v1/enrolment'],
  ['POST', '/agent/fusion/secret'],
  ['GET', '/openapi/v1.json'],
  ['GET', '/boot'],
  ['GET', '/health/../admin/'],
  ['GET', '/boot/../api/service/whoami'],
  ['GET', '/boot/..%2fapi/service/whoami'],
  ['GET', '/boot//../admin/'],
  ['GET', '//admin/'],
  ['GET', 'http://127.0.0.1/api/service/whoami'],
])('the boot listener serves nothing else: %s %s', async (method, path) => {
  expect(await fromBootListener(path, method)).toMatchObject({
    status: 404,
    body: expect.stringContaining('"code":"NotFound"'),
  })
})

test('a new certificate is used after it is reloaded, without a restart', async () => {
  await writeCertificate('second.example.org')

  const before = await healthOver(secure)
  await listeners.reloadCertificate()
  const after = await healthOver(secure)

  expect([before.name, after.name]).toEqual(['first.example.org', 'second.example.org'])
})

test('a renewed certificate is found without a signal, and one that has not changed is left alone', async () => {
  await writeCertificate('renewed.example.org')

  const found = [await listeners.reloadRenewedCertificate(), await listeners.reloadRenewedCertificate()]

  expect(found).toEqual([true, false])
  expect((await healthOver(secure)).name).toBe('renewed.example.org')
})

test('copies that root has left are used in place of files that only root can read', async () => {
  await writeCertificate('copied.example.org')
  const copies = join(folder, 'copies')
  await mkdir(copies)
  await copyFile(tls.certificateFile, join(copies, 'MUSTER_TLS_CERT'))
  await copyFile(tls.keyFile, join(copies, 'MUSTER_TLS_KEY'))
  const away = { ...tls, certificateFile: '/root/none/cert.pem', keyFile: '/root/none/key.pem' }

  const { cert, key } = await readCertificate({ ...away, copies })

  expect([cert, key]).toEqual([await readFile(tls.certificateFile), await readFile(tls.keyFile)])
  await expect(readCertificate(away)).rejects.toThrow(
    'MUSTER_TLS_CERT names /root/none/cert.pem, which does not exist.',
  )
})

test('a private key of another certificate is refused with a sentence, and the old pair stays in use', async () => {
  const before = (await healthOver(secure)).name
  const cert = await readFile(tls.certificateFile)
  await writeCertificate('other.example.org')
  await writeFile(tls.certificateFile, cert)

  await expect(listeners.reloadCertificate()).rejects.toThrow('MUSTER_TLS_KEY does not belong to the certificate')
  expect((await healthOver(secure)).name).toBe(before)
  await writeCertificate('first.example.org')
})

test.skipIf(process.getuid?.() !== 0)('a service whose user may not read the private key says what to do', async () => {
  await chmod(folder, 0o755)
  await chmod(tls.certificateFile, 0o644)
  await chmod(tls.keyFile, 0o600)
  const source = new URL('../../../src/platform/tls/certificate.ts', import.meta.url)
  const program = `const { readCertificate } = await import(${JSON.stringify(source.href)})
    await readCertificate(${JSON.stringify(tls)}).catch(({ message }) => console.log(message))`
  // The checkout may be in a folder that nobody else can enter, so the program is loaded before it becomes another user.
  const script = `await import(${JSON.stringify(source.href)}); process.setgid(65534); process.setuid(65534); ${program}`

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])

  expect(stdout).toMatch(/^The user \S+ may not read \S+key.pem, which MUSTER_TLS_KEY names. Give this user a copy/)
})

/** Sends the token of a sign-in link, as the page does that a browser opens at this name. */
function redeem(address: string, token: string, name: string): Promise<number | undefined> {
  const { protocol, port } = new URL(address)
  const host = `${name}:${port}`
  const headers = { 'content-type': 'application/json', host, origin: `${protocol}//${host}` }
  const send = protocol === 'https:' ? requestSecurely : request
  return new Promise((resolve, reject) => {
    const sent = send(`${address}/admin/session/link`, {
      method: 'POST',
      headers,
      agent: false,
      rejectUnauthorized: false,
    })
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
    sent.on('error', reject).end(JSON.stringify({ token }))
  })
}

test('a sign-in link works under the name of the service over TLS, and in the clear only on this machine', async () => {
  const { id } = await given.localPrincipal({ roles: ['admin.manage'] })
  const newLink = () => insertSignInLink(db, app.services.keys, id)

  const inClear = await redeem(plain, await newLink(), 'muster.example.org')
  const token = await newLink()
  const overTls = [await redeem(secure, token, 'muster.example.org'), await redeem(secure, token, 'muster.example.org')]

  expect([inClear, ...overTls]).toEqual([403, 200, 401])
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
  const only = await listen(other.http, { ...configuration, plainHttp: false, boot: undefined })

  expect(only.addresses).toEqual([expect.stringMatching(/^https:/)])
  await only.close()
})
