import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { downloadPackage } from '../../src/features/package-uploads/api/download-package.ts'
import { importFolders } from '../../src/features/package-uploads/upload-files.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { manifestOf } from '../packages/package-world.ts'
import { openVendorServer } from '../patches/vendor-server.ts'
import { openUploadWorld, sha256Of } from './upload-world.ts'

const vendor = await openVendorServer()
const packageHosts = [
  parseDownloadHost('private', vendor.host, true),
  // A host that is meant to be public, and is not.
  parseDownloadHost('public', 'localhost:9', false),
]
const uploads = { maxFileBytes: 1_000_000, maxPrincipalBytes: 1e9, maxTotalBytes: 1e9, hours: 1 }
const world = await openUploadWorld({ mode: 'development', packageHosts, uploads, fourEyes: true })
const { as, db, ended, packager, store } = world
const ada = await packager()

const content = 'content of the installer'

const request = (url: string, changes: object = {}) => ({
  ...{ url, sha256: sha256Of(content), fileName: 'setup.exe', manifest: manifestOf({ name: `of ${url}` }) },
  ...changes,
})

async function downloaded(body: ReturnType<typeof request>) {
  const { body: answer } = await ada.caller.call(downloadPackage, { body })
  return ended(answer.trackingId)
}

const leftFolders = () => readdir(join(store, importFolders.packages)).catch(() => [])

test('a file from a listed host becomes a package with this manifest, which another person releases', async () => {
  const url = vendor.serve('/setup.exe', content)

  const job = await downloaded(request(url))

  expect(job).toMatchObject({ status: 'Success', message: 'Imported with 2 files.' })
  const params = { id: job.packageId ?? '' }
  const { body } = await as('package.read').call(getPackage, { params })
  expect(body).toMatchObject({ packageName: `of ${url}`, operational: false, importedBy: ada.clientId })
  const { rows } = await sql`
    select encode(sha256, 'hex') as sha256 from package_files
    where package_id = ${params.id} and path = 'setup.exe'`.execute(db)
  expect(rows).toEqual([{ sha256: sha256Of(content) }])
})

test('a file with another hash is discarded, and nothing of it stays', async () => {
  const before = await leftFolders()

  const job = await downloaded(request(vendor.serve('/changed.exe', 'changed by somebody')))

  expect(job).toMatchObject({ status: 'Failed', message: expect.stringContaining('SHA-256') })
  expect(await leftFolders()).toEqual(before)
})

test('nothing is sent to a host that is not listed, not even after a redirect', async () => {
  const elsewhere = vendor.serve('/secret.exe', content).replace('127.0.0.1', 'localhost')
  const redirect = vendor.serve('/redirect.exe', (_request, response) =>
    response.writeHead(302, { location: elsewhere }).end(),
  )

  const direct = await ada.caller.call(downloadPackage, { body: request(elsewhere) })
  const redirected = await downloaded(request(redirect))

  expect(direct).toMatchObject({ status: 409, problem: 'PackageDownloadNotAllowed' })
  expect(redirected).toMatchObject({ status: 'Failed', message: expect.stringContaining('redirects elsewhere') })
  expect(redirected.message).toContain('MUSTER_PACKAGE_HOSTS')
  expect(vendor.requestsTo('/secret.exe')).toBe(0)
})

test('a host that is listed as a public one is not reached in a private network', async () => {
  const job = await downloaded(request('https://localhost:9/setup.exe'))

  expect(job).toMatchObject({ status: 'Failed', message: expect.stringContaining('private network') })
})

test.each([
  ['states', { 'content-length': 2_000_000 }],
  ['does not state', {}],
])('a file that is too large is not stored, whether the host %s its size or not', async (name, headers) => {
  const url = vendor.serve(`/large-${name.length}.exe`, (_request, response) => {
    response.writeHead(200, headers)
    response.end(Buffer.alloc(2_000_000))
  })

  const job = await downloaded(request(url))

  expect(job).toMatchObject({ status: 'Failed', message: expect.stringContaining('larger than the limit') })
})

test.each([
  [
    'http without development mode or with another host',
    { url: 'http://example.org/a.exe' },
    'PackageDownloadNotAllowed',
  ],
  ['a password', { url: 'https://user:secret@localhost:9/a.exe' }, 'PackageDownloadNotAllowed'],
  ['a file', { url: 'file:///etc/passwd' }, 'PackageDownloadNotAllowed'],
  ['a name that is a path', { fileName: '../setup.exe' }, 'InvalidRequest'],
  ['a manifest without commands', { manifest: manifestOf({ commands: {} }) }, 'ManifestInvalid'],
])('a request with %s is refused', async (_name, changes, problem) => {
  const answer = await ada.caller.call(downloadPackage, { body: request(vendor.serve('/a.exe', content), changes) })

  expect(answer.problem).toBe(problem)
  expect(vendor.requestsTo('/a.exe')).toBe(0)
})

test('a second package of the same name needs overwrite', async () => {
  const body = request(vendor.serve('/again.exe', content))
  const first = await downloaded(body)
  const again = await downloaded(body)
  const replaced = await downloaded({ ...body, ...{ overwrite: true } })

  expect([first.status, again.status, replaced.status]).toEqual(['Success', 'Failed', 'Success'])
  expect(replaced.packageId).toBe(first.packageId)
})
