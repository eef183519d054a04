import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { purgeUploads } from '../../src/features/package-uploads/jobs/purge-uploads.ts'
import { openUploadWorld } from './upload-world.ts'

const { db, begun, packager, pathOf, send, store, storedFiles, given } = await openUploadWorld()
const { caller: ada, id: adaId } = await packager()

const purge = () => purgeUploads(db, store)

async function halfUploaded() {
  const id = await begun(ada, 10)
  await send(ada, id, 0, 'abc')
  return id
}

const expire = (id: string, changes = sql``) =>
  sql`update package_uploads set expires_at = now() - interval '1 minute' ${changes} where id = ${id}`.execute(db)

test('an interrupted upload is deleted with its file when it has expired, and not while it is written or imported', async () => {
  const [expired, young, written] = [await halfUploaded(), await halfUploaded(), await halfUploaded()]
  await expire(expired)
  await expire(written, sql`, writer_id = gen_random_uuid(), writer_until = now() + interval '1 minute'`)

  await purge()

  expect((await storedFiles()).toSorted()).toEqual([young, written].toSorted())
  expect((await ada.send({ method: 'GET', url: `/api/package-uploads/${expired}` })).problem).toBe('UploadNotFound')
})

test('progress delays the expiry', async () => {
  const id = await halfUploaded()
  await expire(id)
  await send(ada, id, 3, 'd')

  await purge()

  expect(await storedFiles()).toContain(id)
})

test('files without an upload are deleted, and files that the service did not make are not', async () => {
  const deleted = await halfUploaded()
  await ada.send({ method: 'DELETE', url: `/api/package-uploads/${deleted}` })
  const orphan = '00000000-0000-4000-8000-000000000000'
  await mkdir(dirname(pathOf(orphan)), { recursive: true })
  await writeFile(pathOf(orphan), 'x')
  await writeFile(`${dirname(pathOf(orphan))}/notes.txt`, 'x')

  await purge()

  const names = await storedFiles()
  expect(names).not.toContain(deleted)
  expect(names).not.toContain(orphan)
  expect(names).toContain('notes.txt')
})

test('the uploads of a principal end with it', async () => {
  const id = await halfUploaded()
  await given.localPrincipal({ roles: ['admin.manage'] })
  await sql`delete from principals where id = ${adaId}`.execute(db)

  await purge()

  expect(await storedFiles()).not.toContain(id)
})
