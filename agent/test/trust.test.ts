import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { listAuthorities, trustedAuthorities } from '../src/http/trust.ts'
import { linux } from '../src/platform/linux/index.ts'
import { FakeServer } from './fake-server.ts'
import { openWorld } from './world.ts'

const bodies = (certificates: string[]) => new Set(certificates.map((one) => one.replace(/\s/g, '')))

const certificateOf = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })

test('the authorities of the system are those that Node finds', () => {
  const expected = bodies(getCACertificates('system'))

  expect(bodies(linux.systemAuthorities())).toEqual(expected)
  expect(expected.size).toBeGreaterThan(0)
})

test('each authority of Node and of the system is decoded once', () => {
  const ca = listAuthorities(linux.systemAuthorities())

  expect(bodies(ca)).toEqual(bodies([...getCACertificates('default'), ...getCACertificates('system')]))
  expect(ca).toHaveLength(bodies(ca).size)
})

test('without TLS, no authority is decoded', () => {
  const platform = { ...linux, systemAuthorities: () => expect.fail('The authorities were read.') }

  expect(trustedAuthorities(platform, 'http://127.0.0.1', undefined)).toBeUndefined()
})

test('a server is trusted if its authority is in a folder of the system, beside files that are none', async () => {
  const { agent, environment, root } = await openWorld({ isEnrolled: false })
  const [own, other] = [await certificateOf('own'), await certificateOf('other')]
  const server = await new FakeServer({ key: own.private, cert: own.cert }).open()
  onTestFinished(() => server.close())
  const folder = join(root, 'authorities')
  await mkdir(join(folder, 'folder'), { recursive: true })
  await symlink('missing', join(folder, 'dangling.pem'))
  await writeFile(join(folder, 'broken.pem'), other.cert.replace(/.{64}\n/, 'AAAA\n'))
  await writeFile(join(folder, 'text.pem'), 'no certificate')
  environment.SSL_CERT_FILE = join(root, 'missing.pem')
  environment.SSL_CERT_DIR = `${join(root, 'missing')}:${folder}`
  const enrol = () => agent('enrol', '--server', server.url, '--token', 'right')

  const doubted = await enrol()
  await writeFile(join(folder, 'several.pem'), `${other.cert}\r\n# Own\r\n${own.cert.replace(/\r?\n/g, '\r\n')}`)
  const trusted = await enrol()

  expect(doubted).toMatchObject({ code: 1, output: expect.stringContaining('certificate') })
  expect(trusted).toMatchObject({ code: 0 })
  expect(server.enrolments).toHaveLength(1)
})
