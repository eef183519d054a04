import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { signPackage } from '@muster/package-format'
import { generateSecretKey } from '@muster/signing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { importPackageUpload } from '../../src/features/package-uploads/api/import-package-upload.ts'
import { purgeUploads } from '../../src/features/package-uploads/jobs/purge-uploads.ts'
import { generatePackageHash } from '../../src/features/packages/api/generate-package-hash.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { manifestOf } from '../packages/package-world.ts'
import { openUploadWorld, sha256Of } from './upload-world.ts'

const key = generateSecretKey()
const world = await openUploadWorld({ fourEyes: true, trustedKeys: [key.publicKey] })
const { as, db, ended, find, folder, imported, importedUpload, packager, pathOf, send, begun, store, uploaded } = world
const [ada, bob] = [await packager(), await packager()]

const readPackage = async (id: string | null) =>
  (await as('package.read').call(getPackage, { params: { id: id ?? '' } })).body

async function filesOf(id: string | null) {
  const { rows } = await sql<{ path: string; sha256: string }>`
    select path, encode(sha256, 'hex') as sha256 from package_files where package_id = ${id} order by path`.execute(db)
  return rows
}

/** The bytes of an archive of a folder with these files. */
async function archiveOf(files: Record<string, string>, pack: (folder: string, archive: string) => void) {
  const root = await temporaryFolder()
  const source = join(root, 'package')
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(source, name)), { recursive: true })
    await writeFile(join(source, name), content)
  }
  pack(source, join(root, 'archive'))
  return { root, source, bytes: await readFile(join(root, 'archive')) }
}

const run = (command: string, args: string[], cwd: string) => execFileSync(command, args, { cwd, stdio: 'ignore' })
const packTar = (source: string, archive: string) => run('tar', ['-cf', archive, '-C', source, '.'], source)
const packWrapped = (source: string, archive: string) => run('tar', ['-czf', archive, 'package'], dirname(source))
const packZip = (source: string, archive: string) =>
  run(
    'python3',
    ['-c', 'import shutil,sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])', archive, source],
    source,
  )

test('a file with a manifest becomes the same package as a folder with both, and the upload ends', async () => {
  const manifest = manifestOf({ name: 'single', commands: { install: { argv: ['sh', 'setup.bin'] } } })
  const id = await uploaded(ada.caller, 'content of the file')

  const job = await importedUpload(ada.caller, id, { manifest })

  expect(job).toMatchObject({ status: 'Success', message: 'Imported with 2 files.' })
  await folder('same', { 'muster-package.json': { ...manifest, name: 'other' }, 'setup.bin': 'content of the file' })
  const other = await imported('same')
  const [one, same] = [await readPackage(job.packageId), await readPackage(other.packageId)]
  expect(one).toMatchObject({
    packageName: 'single',
    operational: false,
    hashState: 'Current',
    importedBy: ada.clientId,
  })
  expect({ ...one, ...pickIdentity(same) }).toEqual({ ...same, importedBy: ada.clientId })
  expect(await filesOf(job.packageId)).toContainEqual({ path: 'setup.bin', sha256: sha256Of('content of the file') })
  expect((await ada.caller.send({ method: 'GET', url: `/api/package-uploads/${id}` })).problem).toBe('UploadNotFound')
})

/** What two packages cannot have in common. */
const pickIdentity = ({ id, name, packageName, contentHash }: Awaited<ReturnType<typeof readPackage>>) => ({
  ...{ id, name, packageName },
  ...(contentHash !== undefined && { contentHash }),
})

test.each([
  ['tar', packTar],
  ['tar.gz with a folder at its top', packWrapped],
])('an archive (%s) of the folder of a package becomes that package', async (form, pack) => {
  const name = `archived-${form.length}`
  const files = {
    'muster-package.json': JSON.stringify(manifestOf({ name })),
    'data/deep/file.txt': 'deep',
    'install.sh': '',
  }
  const { bytes } = await archiveOf(files, pack)
  const id = await uploaded(ada.caller, bytes, 'package.tar')

  const job = await importedUpload(ada.caller, id, {})

  expect(job).toMatchObject({ status: 'Success', message: 'Imported with 3 files.' })
  expect((await filesOf(job.packageId)).map(({ path }) => path)).toEqual([
    ...['data/deep/file.txt', 'install.sh', 'muster-package.json'],
  ])
})

test('a zip file of a signed package keeps its signature, and a changed file is refused as in a folder', async () => {
  const source = await temporaryFolder()
  await writeFile(join(source, 'muster-package.json'), JSON.stringify(manifestOf({ name: 'signed' })))
  await writeFile(join(source, 'data.txt'), 'signed content')
  await signPackage(source, key)
  const root = await temporaryFolder()
  packZip(source, join(root, 'signed'))
  const signed = await uploaded(ada.caller, await readFile(join(root, 'signed.zip')), 'signed.zip')
  await writeFile(join(source, 'data.txt'), 'other content')
  packZip(source, join(root, 'changed'))
  const changed = await uploaded(ada.caller, await readFile(join(root, 'changed.zip')), 'changed.zip')

  const job = await importedUpload(ada.caller, signed, {})
  const refused = await importedUpload(ada.caller, changed, { overwrite: true })

  expect(job.status).toBe('Success')
  expect(await readPackage(job.packageId)).toMatchObject({ signature: { keyId: key.publicKey.keyId } })
  expect(refused).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining("'data.txt' differs from 'files'"),
  })
})

test('who uploaded a package cannot release it, and nobody else can import an upload to get around that', async () => {
  const id = await uploaded(ada.caller, 'x')
  const manifest = manifestOf({ name: 'pair' })

  const byOther = await bob.caller.call(importPackageUpload, { params: { id }, body: { manifest } })
  const { packageId } = await importedUpload(ada.caller, id, { manifest })
  const release = (by: typeof ada) =>
    by.caller.call(setReadyToInstall, { params: { id: packageId ?? '' }, body: { operational: true } })

  expect(byOther).toMatchObject({ status: 403, problem: 'NotYourUpload' })
  expect((await release(ada)).problem).toBe('FourEyesRequired')
  expect((await release(bob)).status).toBe(200)
})

test('a manifest with a fault is refused at once, and an import that fails leaves the upload for another attempt', async () => {
  const id = await uploaded(ada.caller, 'x')
  const taken = manifestOf({ name: 'taken' })
  await folder('taken', { 'muster-package.json': taken })
  await imported('taken')

  const invalid = await ada.caller.call(importPackageUpload, {
    params: { id },
    body: { manifest: manifestOf({ kind: 'magic' }) },
  })
  const failed = await importedUpload(ada.caller, id, { manifest: taken })
  const after = await find(ada.caller, id)
  const folders = await readdir(join(store, '.muster-uploads/packages'))
  const repeated = await importedUpload(ada.caller, id, { manifest: taken, overwrite: true })

  expect(invalid).toMatchObject({
    status: 422,
    problem: 'ManifestInvalid',
    raw: { reason: expect.stringContaining("'kind'") },
  })
  expect(failed).toMatchObject({ status: 'Failed', message: expect.stringContaining('exists already') })
  expect(after).toMatchObject({ state: 'Ready', importFault: failed.message, importTrackingId: failed.trackingId })
  expect(folders).not.toContain(failed.trackingId)
  expect(repeated.status).toBe('Success')
})

test('an incomplete upload is not imported, and one that is being imported neither again nor deleted', async () => {
  const incomplete = await begun(ada.caller, 10)
  await send(ada.caller, incomplete, 0, 'abc')
  const id = await uploaded(ada.caller, 'x')
  const manifest = manifestOf({ name: 'once' })
  await db.transaction().execute(async (tx) => {
    // The job cannot finish while nothing can be written to this table.
    await sql`lock table package_files in exclusive mode`.execute(tx)
    const { body } = await ada.caller.call(importPackageUpload, { params: { id }, body: { manifest } })

    const [early, again] = await Promise.all(
      [incomplete, id].map((one) => ada.caller.call(importPackageUpload, { params: { id: one }, body: { manifest } })),
    )
    const deleted = await ada.caller.send({ method: 'DELETE', url: `/api/package-uploads/${id}` })

    expect(early?.problem).toBe('UploadNotReady')
    expect([again?.problem, deleted.problem]).toEqual(['UploadInUse', 'UploadInUse'])
    expect((await find(ada.caller, id)).importTrackingId).toBe(body.trackingId)
  })
  await ended((await findTracking('once')) ?? '')
})

async function findTracking(name: string) {
  const { rows } = await sql<{ id: string }>`
    select id from background_jobs where input -> 'manifest' ->> 'name' = ${name} order by requested_at desc`.execute(
    db,
  )
  return rows[0]?.id
}

test('a file that was changed on disk after it was complete is not imported', async () => {
  const id = await uploaded(ada.caller, 'confirmed')
  await writeFile(pathOf(id), 'exchanged')

  const job = await importedUpload(ada.caller, id, { manifest: manifestOf({ name: 'exchanged' }) })

  expect(job).toMatchObject({ status: 'Failed', message: expect.stringContaining('has changed on the disk') })
})

test.each([
  ['no archive', async () => Buffer.from('MZ, a program')],
  ['no manifest', async () => (await archiveOf({ 'a.txt': 'a' }, packTar)).bytes],
  [
    'half of an archive',
    async () => (await archiveOf({ 'a.txt': 'a'.repeat(9_000) }, packWrapped)).bytes.subarray(0, 120),
  ],
  ['a zip without its end', async () => Buffer.from('PK\x03\x04 and nothing else')],
])('%s is refused with a reason, and nothing of it stays', async (_, make) => {
  const id = await uploaded(ada.caller, await make(), 'package.tar')

  const job = await importedUpload(ada.caller, id, {})

  expect(job.status).toBe('Failed')
  expect(job.message).toMatch(/not an archive|has no muster-package\.json|cannot be read/)
  expect(await readdir(join(store, '.muster-uploads/packages'))).not.toContain(job.trackingId)
  expect(await readdir(join(store, '.muster-uploads/unpacking')).catch(() => [])).toEqual([])
})

test('links and paths that lead out of an archive are refused', async () => {
  const { root, source } = await archiveOf(
    { 'muster-package.json': JSON.stringify(manifestOf({ name: 'link' })) },
    packTar,
  )
  await symlink('/etc/passwd', join(source, 'passwd'))
  packTar(source, join(root, 'link'))
  const outside =
    'import tarfile,io,sys\nt=tarfile.open(sys.argv[1],"w")\ni=tarfile.TarInfo("../../evil")\nt.addfile(i,io.BytesIO())'
  run('python3', ['-c', outside, join(root, 'outside')], root)

  const jobs = []
  for (const name of ['link', 'outside']) {
    const id = await uploaded(ada.caller, await readFile(join(root, name)), `${name}.tar`)
    jobs.push(await importedUpload(ada.caller, id, {}))
  }

  expect(jobs.map(({ status, message }) => [status, message])).toEqual([
    ['Failed', expect.stringContaining("'passwd' in the archive is neither a file nor a folder")],
    ['Failed', expect.stringContaining('must not contain the name')],
  ])
})

test('the folder of an uploaded package is checked like any other, cannot be imported, and ends with its content', async () => {
  const first = await uploaded(ada.caller, 'first')
  const manifest = manifestOf({ name: 'kept' })
  const one = await importedUpload(ada.caller, first, { manifest })
  const checked = await as('package.write').call(generatePackageHash, { params: { id: one.packageId ?? '' } })
  const byFolder = await imported(`.muster-uploads/packages/${one.trackingId}`, true)
  await purgeUploads(db, store)
  const kept = await readdir(join(store, '.muster-uploads/packages'))

  const second = await importedUpload(ada.caller, await uploaded(ada.caller, 'second'), { manifest, overwrite: true })
  await purgeUploads(db, store)

  expect(await ended(checked.body.trackingId)).toMatchObject({ status: 'Success' })
  expect(byFolder).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining('stores uploads in this folder'),
  })
  expect(kept).toContain(one.trackingId)
  expect(second.packageId).toBe(one.packageId)
  expect(await readdir(join(store, '.muster-uploads/packages'))).not.toContain(one.trackingId)
  expect(await readdir(join(store, '.muster-uploads/packages'))).toContain(second.trackingId)
})

test('beginning, importing and deleting an upload are audited, with the name of the file', async () => {
  const eve = await packager()
  const id = await uploaded(eve.caller, 'x', 'audited.bin')
  await eve.caller.send({ method: 'DELETE', url: `/api/package-uploads/${id}` })

  const { body } = await as('admin.manage').call(listAuditEntries, { query: { principalId: eve.id } })

  expect(JSON.stringify(body)).toContain('audited.bin')
  expect(JSON.stringify(body)).toContain('deletePackageUpload')
})
