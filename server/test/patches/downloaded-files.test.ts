import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { getWorkFile } from '../../src/channels/agent/get-work-file.ts'
import { getWantedFile } from '../../src/channels/depot/get-wanted-file.ts'
import { listWantedFiles } from '../../src/channels/depot/list-wanted-files.ts'
import { listWantedPackages } from '../../src/channels/depot/list-wanted-packages.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { contentPathOf } from '../../src/features/packages/content/content-folder.ts'
import { purgeUnreferencedContent } from '../../src/features/packages/jobs/purge-content.ts'
import { downloadPatch } from '../../src/features/patches/api/download-patch.ts'
import { maintainDownloads } from '../../src/features/patches/jobs/maintain-downloads.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { age } from '../packages/content-world.ts'
import { openDownloadWorld } from './download-world.ts'

const world = await openDownloadWorld()
const { agent, app, approve, as, db, fileWith, given, importDocument, listFiles, patchWith, servedFile } = world
const { readyPackage, store, withToken, work } = world

test('an agent gets the stored files of the patches that it installs, and no others', async () => {
  const [own, foreign] = [servedFile('own.deb'), servedFile('foreign.deb')]
  const patch = await patchWith(own)
  const other = await patchWith(foreign)
  for (const { patchId } of [patch, other]) await as('pm.write').call(downloadPatch, { params: { patchId } })
  for (const { patchId } of [patch, other]) await fileWith(patchId, 'Stored')
  await approve(patch)
  const computer = await agent()
  const group = await given.group()
  await given.member(group, computer)
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.patchId, productId: patch.productId }] }), group)
  await given.patchScan(computer, [{ key: patch.key, product: patch.productName, status: 'Missing' }])
  const workId = await work(computer, await readyPackage({ kind: 'PatchFix', files: { 'fix.sh': 'true' } }))
  await computer.contact()

  const { body } = await computer.start(workId)

  const path = `muster-patches/${patch.patchId}-${patch.productId}/${own.sha256.slice(0, 8)}/own.deb`
  const fetchFile = (sha256: string) => computer.itself.call(getWorkFile, { params: { workId, sha256 } })
  expect(body.patches).toMatchObject([{ patchId: patch.patchId, files: [path] }])
  expect(body.files.map((file) => file.path)).toEqual(['fix.sh', path])
  expect(body.files[1]).toMatchObject({ sha256: own.sha256, size: own.content.length })
  expect((await fetchFile(own.sha256)).body).toBe(own.content)
  expect(await fetchFile(foreign.sha256)).toMatchObject({ status: 404 })
})

test('a depot gets the stored files of all patches with every fix package, and with no other', async () => {
  const { patchId } = await patchWith(servedFile('depot.deb', 'for the depot'))
  const fix = await readyPackage({ kind: 'PatchFix', files: { 'fix.sh': 'true' } })
  const plain = await readyPackage({ files: { 'a.txt': 'a' } })
  const { id: clientId } = await given.computer({ role: 'DepotServer' })
  const { body } = await as('admin.manage').call(createDepotCredential, { params: { clientId } })
  const depot = withToken(body.credential)
  const hashes = async () =>
    Object.fromEntries((await depot.call(listWantedPackages)).body.map(({ id, contentHash }) => [id, contentHash]))
  const before = await hashes()

  await as('pm.write').call(downloadPatch, { params: { patchId } })
  const { sha256 } = await fileWith(patchId, 'Stored')

  const after = await hashes()
  const files = await depot.call(listWantedFiles, { params: { id: fix.id } })
  const fetchWith = (id: string) => depot.call(getWantedFile, { params: { id, sha256 } })
  expect(after[fix.id]).not.toBe(before[fix.id])
  expect(after[plain.id]).toBe(before[plain.id])
  expect(files.body.contentHash).toBe(after[fix.id])
  expect(files.body.files.map((file) => file.sha256)).toEqual(expect.arrayContaining([sha256, sha256Of('true')]))
  expect((await fetchWith(fix.id)).body).toBe('for the depot')
  expect(await fetchWith(plain.id)).toMatchObject({ status: 404, problem: 'PackageNotWanted' })
})

test('the content of a patch is purged when no document names it any longer', async () => {
  const file = servedFile('dropped.msu')
  const patch = await patchWith(file)
  await approve(patch)
  await fileWith(patch.patchId, 'Stored')
  const path = contentPathOf(store, file.sha256)
  const purge = async () => {
    await age(path, 25)
    await maintainDownloads(db, app.services.configuration)
    await purgeUnreferencedContent(db, store, new AbortController().signal)
    return existsSync(path)
  }

  const whileNamed = await purge()
  await importDocument({
    format: 'muster-patch-catalog/1',
    name: patch.key,
    version: '2',
    releasedUtc: '2026-04-12T00:00:00Z',
    patches: [{ key: patch.key, products: [{ name: patch.productName }] }],
  })

  expect([whileNamed, await purge()]).toEqual([true, false])
  expect(await listFiles(patch.patchId)).toEqual([])
})

test('a file that has vanished from the package store is downloaded again', async () => {
  const file = servedFile('vanished.msu')
  const patch = await patchWith(file)
  await approve(patch)
  await fileWith(patch.patchId, 'Stored')

  await rm(contentPathOf(store, file.sha256))
  await maintainDownloads(db, app.services.configuration)

  await fileWith(patch.patchId, 'Stored')
  expect(existsSync(contentPathOf(store, file.sha256))).toBe(true)
})
