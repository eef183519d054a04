import { execFile } from 'node:child_process'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { noAnswerNames, openNoAnswerServer } from '../../../tools/no-answers.ts'
import { contentFolderOf } from '../../src/features/packages/content/content-folder.ts'
import { addPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/add-pm-group-patches.ts'
import { downloadPatch } from '../../src/features/patches/api/download-patch.ts'
import { getPatch } from '../../src/features/patches/api/get-patch.ts'
import { patchDownloadRules } from '../../src/features/patches/files/patch-download-rules.ts'
import { maintainDownloads } from '../../src/features/patches/jobs/maintain-downloads.ts'
import { listQueueEntries } from '../../src/features/service/api/queues/list-queue-entries.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openDownload } from '../../src/platform/downloads/open-download.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { buildAdvisory } from './csaf.ts'
import { openDownloadWorld } from './download-world.ts'

const world = await openDownloadWorld()
const { approve, as, fileWith, findPatch, given, importDocument, listFiles, patchWith, servedFile } = world
const { app, db, listLeftovers, secureVendor, store, vendor } = world

const listQueue = async () =>
  (await as('computer.read').call(listQueueEntries, { query: { queue: 'patch-download' } })).body.items

test('approving a patch downloads its file, and the queue shows the job while it runs', async () => {
  const content = 'x'.repeat(100_000)
  let continueTransfer = () => {}
  const url = vendor.serve('/slow.msu', async (_request, response) => {
    response.writeHead(200, { 'content-length': content.length }).write(content.slice(0, 60_000))
    await new Promise<void>((resolve) => {
      continueTransfer = resolve
    })
    response.end(content.slice(60_000))
  })
  const patch = await patchWith({ url, sha256: sha256Of(content) })
  const before = await listFiles(patch.patchId)

  await approve(patch)

  const queued = await until(async () => (await listQueue()).find(({ status }) => status === 'Running'), 20_000)
  await until(() => (vendor.requestsTo('/slow.msu') > 0 ? true : undefined))
  continueTransfer()
  const stored = await fileWith(patch.patchId, 'Stored')
  expect(before).toMatchObject([{ status: 'NotRequested', name: 'slow.msu', sizeBytes: null }])
  expect(queued).toMatchObject({ queue: 'patch-download', subject: 'slow.msu' })
  expect(stored).toMatchObject({ sizeBytes: 100_000, storedUtc: expect.any(String) })
  expect(await listQueue()).toEqual([])
  const { body } = await as('pm.read').call(getPatch, { params: { patchId: patch.patchId } })
  expect(body).toMatchObject({ fileCount: 1, storedFileCount: 1 })
})

test('a file that two patches share is downloaded once', async () => {
  const file = servedFile('shared.msu')
  const [one, other] = [await patchWith(file), await patchWith(file)]
  const pmGroup = await given.pmGroup()

  await as('pm.write').call(addPmGroupPatches, {
    params: { id: pmGroup.id },
    body: { patchIds: [one.patchId], productId: one.productId },
  })
  await approve(other)
  await approve(other)

  for (const { patchId } of [one, other]) await fileWith(patchId, 'Stored')
  expect(vendor.requestsTo('/shared.msu')).toBe(1)
})

test('an imported revision of a catalog downloads the files of patches that are already approved', async () => {
  const { url, sha256 } = servedFile('later.msu')
  const patch = await patchWith()
  await approve(patch)

  await importDocument({
    format: 'muster-patch-catalog/1',
    name: patch.key,
    version: '2',
    releasedUtc: '2026-04-12T00:00:00Z',
    patches: [
      { key: patch.key, bulletinId: patch.key, products: [{ name: patch.productName }], files: [{ url, sha256 }] },
    ],
  })

  expect(await fileWith(patch.patchId, 'Stored')).toMatchObject({ name: 'later.msu' })
})

test('an advisory names a file by the address of its fix and the hash of the product', async () => {
  const file = servedFile('csaf-fix.rpm')
  const advisory = buildAdvisory({ id: 'FILE-1', products: ['Example OS 13'], url: file.url })
  const helper = { hashes: [{ filename: 'csaf-fix.rpm', file_hashes: [{ algorithm: 'sha256', value: file.sha256 }] }] }
  const product = advisory.product_tree.branches[0]?.branches[0]?.product
  await importDocument({
    ...advisory,
    product_tree: { full_product_names: [{ ...product, product_identification_helper: helper }] },
  })
  const patch = await findPatch('FILE-1')

  await approve(patch)

  expect(await fileWith(patch.patchId, 'Stored')).toMatchObject({ name: 'csaf-fix.rpm', sha256: file.sha256 })
})

test('a file whose hash differs from that in its document is not stored', async () => {
  const { url } = servedFile('forged.msu')
  const patch = await patchWith({ url, sha256: sha256Of('the real one') })

  await approve(patch)

  const { message } = await fileWith(patch.patchId, 'Failed')
  expect(message).toMatch(/does not have the SHA-256 that its document states/)
  expect(await listLeftovers()).toEqual([])
})

test.each(noAnswerNames)('a download from a host that sends %s ends at its time limit at the latest', async (name) => {
  const silent = await openNoAnswerServer(name)
  onTestFinished(silent.close)
  const patchHosts = [parseDownloadHost('private', silent.host, true)]
  const rules = patchDownloadRules({ ...app.services.configuration, patchHosts })

  const download = openDownload(silent.address, rules, AbortSignal.timeout(300))

  await expect(download).rejects.toThrow(`The connection to ${silent.host} failed`)
})

test('nothing is sent to a host that the settings do not list, not even after a redirect', async () => {
  const secret = servedFile('secret.msu')
  const elsewhere = secret.url.replace('127.0.0.1', 'localhost')
  const direct = await patchWith({ url: elsewhere, sha256: secret.sha256 })
  const redirect = vendor.serve('/redirect.msu', (_request, response) =>
    response.writeHead(302, { location: elsewhere }).end(),
  )
  const redirected = await patchWith({ url: redirect, sha256: sha256Of('redirected') })
  await approve(direct)
  await approve(redirected)

  const refused = await as('pm.write').call(downloadPatch, { params: { patchId: direct.patchId } })
  const failed = await fileWith(redirected.patchId, 'Failed')

  expect(refused).toMatchObject({ status: 409, problem: 'DownloadNotAllowed' })
  expect(await listFiles(direct.patchId)).toMatchObject([
    { status: 'NotAllowed', message: expect.stringContaining('MUSTER_PATCH_HOSTS') },
  ])
  expect(failed.message).toMatch(/redirects elsewhere/)
  expect(vendor.requestsTo('/secret.msu')).toBe(0)
})

test('a redirect to a listed host is followed, but not forever', async () => {
  const file = servedFile('target.msu')
  const once = vendor.serve('/once.msu', (_request, response) =>
    response.writeHead(301, { location: '/target.msu' }).end(),
  )
  const loop = vendor.serve('/loop.msu', (_request, response) =>
    response.writeHead(307, { location: '/loop.msu' }).end(),
  )
  const [good, bad] = [
    await patchWith({ url: once, sha256: file.sha256 }),
    await patchWith({ url: loop, sha256: sha256Of('loop') }),
  ]
  await approve(good)
  await approve(bad)

  await fileWith(good.patchId, 'Stored')
  expect((await fileWith(bad.patchId, 'Failed')).message).toMatch(/redirects too often/)
})

test('a host with a private address is refused unless it is listed as private', async () => {
  const patch = await patchWith({ url: 'https://localhost:9/a.msu', sha256: sha256Of('private') })

  await approve(patch)

  expect((await fileWith(patch.patchId, 'Failed')).message).toMatch(/address in a private network/)
})

test('a file above the size limit is refused, whether or not the vendor states its size', async () => {
  const large = Buffer.alloc(2 * 1_048_576)
  const stated = vendor.serve('/stated.msu', (_request, response) => response.end(large))
  const chunked = vendor.serve('/chunked.msu', (_request, response) => {
    response.write(large)
    response.end()
  })
  for (const url of [stated, chunked]) {
    const patch = await patchWith({ url, sha256: sha256Of(url) })
    await approve(patch)
    expect((await fileWith(patch.patchId, 'Failed')).message).toMatch(/larger than the limit of 1048576 bytes/)
  }
  expect(await listLeftovers()).toEqual([])
})

// These two wait for the second attempt of a job at the same time.
test.concurrent('a download that breaks off is repeated, and one that is refused can be requested again', async () => {
  const content = 'in the end'
  let attempts = 0
  const flaky = vendor.serve('/flaky.msu', (_request, response) => {
    attempts++
    if (attempts > 1) return response.end(content)
    response.writeHead(200, { 'content-length': content.length }).write('in')
    return response.destroy()
  })
  const [broken, missing] = [
    await patchWith({ url: flaky, sha256: sha256Of(content) }),
    await patchWith({
      url: vendor.serve('/missing.msu', (_request, response) => response.writeHead(404).end()),
      sha256: sha256Of('found'),
    }),
  ]
  await approve(broken)
  await approve(missing)

  await fileWith(broken.patchId, 'Stored')
  const failed = await fileWith(missing.patchId, 'Failed')
  vendor.serve('/missing.msu', 'found')
  const again = await as('pm.write').call(downloadPatch, { params: { patchId: missing.patchId } })
  await fileWith(missing.patchId, 'Stored')

  expect(attempts).toBe(2)
  expect(failed.message).toMatch(/answered 404/)
  expect(again).toMatchObject({ status: 202, body: { trackingIds: [expect.any(String)] } })
})

test.concurrent('a vendor is believed only with a certificate that this machine trusts', async ({ onTestFinished }) => {
  const url = secureVendor.serve('/secure.msu', 'securely')
  const patch = await patchWith({ url, sha256: sha256Of('securely') })
  await approve(patch)

  const waiting = await until(
    async () => (await listFiles(patch.patchId)).find(({ message }) => message !== null),
    20_000,
  )
  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([...trusted, secureVendor.certificate])

  expect(waiting.message).toMatch(/certificate.* The job is attempted again automatically/)
  await fileWith(patch.patchId, 'Stored')
  expect(secureVendor.requestsTo('/secure.msu')).toBe(1)
})

test('a download that failed is requested again a day later', async () => {
  const url = vendor.serve('/tomorrow.msu', (_request, response) => response.writeHead(403).end())
  const patch = await patchWith({ url, sha256: sha256Of('tomorrow') })
  await approve(patch)
  await fileWith(patch.patchId, 'Failed')
  vendor.serve('/tomorrow.msu', 'tomorrow')

  const early = await maintainDownloads(db, app.services.configuration)
  await sql`update background_jobs set finished_at = finished_at - interval '25 hours' where status = 'Failed'`.execute(
    db,
  )
  await maintainDownloads(db, app.services.configuration)

  expect(early).toBe(0)
  expect(await fileWith(patch.patchId, 'Stored')).toMatchObject({ message: expect.any(String) })
})

// Only root can mount a file system that is small enough to fill.
test.runIf(process.getuid?.() === 0)('a download waits while the disk is full, and says so', async () => {
  const run = promisify(execFile)
  const folder = contentFolderOf(store)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  onTestFinished(async () => {
    await run('umount', ['--lazy', folder])
  })
  const patch = await patchWith(servedFile('large.msu', 'y'.repeat(900_000)))

  await approve(patch)
  const waiting = await until(
    async () => (await listFiles(patch.patchId)).find(({ message }) => message !== null),
    20_000,
  )
  await run('mount', ['-o', 'remount,size=32m', folder])

  expect(waiting).toMatchObject({
    status: 'Pending',
    message: 'The service ran out of disk space. The job is attempted again automatically.',
  })
  await fileWith(patch.patchId, 'Stored')
  expect(await listLeftovers()).toEqual([])
})
