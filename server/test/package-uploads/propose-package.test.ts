import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getPackageUploadProposal } from '../../src/features/package-uploads/api/get-package-upload-proposal.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import type { Caller } from '../world/caller.ts'
import { addressOf, openUploadWorld } from './upload-world.ts'

const world = await openUploadWorld()
const { db, begun, importedUpload, packager, pathOf, uploaded } = world
const [ada, bob] = [await packager(), await packager()]

const refusedProposal = (by: Caller, id: string) => by.send({ method: 'GET', url: `${addressOf(id)}/proposal` })

const control =
  'Package: sample-tool\nVersion: 2.3-1\nArchitecture: all\nMaintainer: Example <a@example.org>\nDescription: Tool\n'

async function makeDeb(): Promise<Buffer> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'tree/DEBIAN'), { recursive: true })
  await writeFile(join(folder, 'tree/DEBIAN/control'), control)
  await writeFile(join(folder, 'tree/DEBIAN/postinst'), '#!/bin/sh\necho done\n', { mode: 0o755 })
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', 'tree', 'sample.deb'], { cwd: folder })
  return readFile(join(folder, 'sample.deb'))
}

test('the proposed package of a real deb file is created with its file under the proposed name', async () => {
  // A name that shells read differently.
  const id = await uploaded(ada.caller, await makeDeb(), 'sample $tool.deb')

  const { body } = await ada.caller.call(getPackageUploadProposal, { params: { id } })
  const { fileName, manifest, lines } = body
  const job = await importedUpload(ada.caller, id, { manifest, fileName })

  expect(body).toMatchObject({
    fileName: 'sample-tool.deb',
    facts: {
      ...{ format: 'deb', fileName: 'sample $tool.deb', version: '2.3-1' },
      scripts: [{ name: 'postinst', text: '#!/bin/sh\necho done\n', isComplete: true }],
    },
    manifest: { name: 'sample-tool', version: '2.3-1', kind: 'software' },
  })
  expect(lines).toContainEqual({
    property: 'version',
    value: '2.3-1',
    confidence: 'certain',
    reason: 'From the control file of the package',
    isImplied: false,
  })
  expect(job).toMatchObject({ status: 'Success' })
  const { rows } = await sql<{ path: string }>`
    select path from package_files where package_id = ${job.packageId} order by path`.execute(db)
  expect(rows.map(({ path }) => path)).toEqual(['muster-package.json', 'sample-tool.deb'])
})

test('files that cannot be read are refused with their own problem, and say why', async () => {
  const text = await uploaded(ada.caller, 'just text', 'notes.txt')
  const cut = await uploaded(ada.caller, (await makeDeb()).subarray(0, 100), 'cut.deb')
  const lost = await uploaded(ada.caller, '#!/bin/sh\n', 'lost.sh')
  await rm(pathOf(lost))

  expect(await refusedProposal(ada.caller, text)).toMatchObject({ status: 422, problem: 'InstallerFormatUnknown' })
  expect(await refusedProposal(ada.caller, cut)).toMatchObject({
    status: 422,
    problem: 'InstallerDamaged',
    raw: { reason: expect.stringMatching(/^The file is damaged: /) },
  })
  expect(await refusedProposal(ada.caller, lost)).toMatchObject({ status: 409, problem: 'UploadedFileMissing' })
})

test('only the principal that uploaded the whole file gets a proposal', async () => {
  const id = await uploaded(ada.caller, '#!/bin/sh\n', 'setup.sh')
  const partial = await begun(ada.caller, 10)

  expect(await refusedProposal(bob.caller, id)).toMatchObject({ status: 403, problem: 'NotYourUpload' })
  expect(await refusedProposal(ada.caller, partial)).toMatchObject({ status: 409, problem: 'UploadNotReady' })
})

test('while too many installers wait to be read, others are asked to come back', async () => {
  const id = await uploaded(ada.caller, '#!/bin/sh\n', 'setup.sh')

  const answers = await Promise.all(Array.from({ length: 30 }, () => refusedProposal(ada.caller, id)))

  // One is read, and four wait for it. While requests arrive on a busy machine, some have been read already.
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  const busy = answers.find(({ status }) => status === 503)
  expect(busy).toMatchObject({ problem: 'InstallerReaderBusy' })
  expect(busy?.headers['retry-after']).toBe('10')
})

test('a fault of a manifest names its property, and a name for the file needs a manifest', async () => {
  const id = await uploaded(ada.caller, '#!/bin/sh\n', 'setup.sh')
  const importWith = (payload: object) => ada.caller.send({ method: 'POST', url: `${addressOf(id)}/package`, payload })
  const manifest = { name: 'setup', version: '', kind: 'software', operatingSystems: ['Linux'] }

  expect(await importWith({ manifest })).toMatchObject({
    status: 422,
    problem: 'ManifestInvalid',
    raw: { errors: [{ in: 'body', name: 'manifest.version', reason: expect.stringContaining('fewer') }] },
  })
  expect(await importWith({ fileName: 'other.sh' })).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(await importWith({ manifest, fileName: '../other.sh' })).toMatchObject({ status: 400 })
})
