import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockForTransaction, lockForTransactionShared } from '../../src/database/advisory-locks.ts'
import { contentPathOf, incomingFolderOf } from '../../src/features/packages/content/content-folder.ts'
import { purgeUnreferencedContent } from '../../src/features/packages/jobs/purge-content.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { age, openContentWorld, sha256Of } from './content-world.ts'
import { manifestOf } from './package-world.ts'

const { db, folder, imported, importedFile, store, storedHashes } = await openContentWorld()

const purge = () => purgeUnreferencedContent(db, store, new AbortController().signal)

test('content is purged when no package has it any more and it is older than a day', async () => {
  const { file, path } = await importedFile('purged', 'first version')
  await writeFile(path, 'second version')
  await imported('purged', true)
  const second = sha256Of('second version')
  await age(contentPathOf(store, second), 1_000)

  await age(contentPathOf(store, file.sha256), 23)
  const young = [await purge(), await storedHashes()]
  await age(contentPathOf(store, file.sha256), 25)
  const old = [await purge(), await storedHashes()]

  expect(young).toEqual([0, expect.arrayContaining([file.sha256, second])])
  expect(old).toEqual([1, expect.arrayContaining([second])])
  expect(old[1]).not.toContain(file.sha256)
})

test('incomplete copies of a service that was killed are purged after a day', async () => {
  await folder('.muster-content/incoming', { killed: 'incompl', running: 'also incompl' })
  await age(join(incomingFolderOf(store), 'killed'), 25)

  expect(await purge()).toBe(1)
  expect(await readdir(incomingFolderOf(store))).toEqual(['running'])
})

test('nothing is purged and nothing fails while there is no content folder', async () => {
  expect(await purge()).toBe(0)
})

test('content is not purged if an import refers to it while the purge waits for that import', async () => {
  const { id } = await importedFile('referring', 'something')
  const sha256 = sha256Of('unreferenced so far')
  await folder(join('.muster-content', sha256.slice(0, 2)), { [sha256]: 'unreferenced so far' })
  await age(contentPathOf(store, sha256), 25)

  const purging = await db.transaction().execute(async (transaction) => {
    await lockForTransactionShared(transaction, 'packageContent')
    const started = { result: purge() }
    await sql`
      insert into package_files (package_id, path, size, sha256)
      values (${id}, 'more.txt', 19, decode(${sha256}, 'hex'))`.execute(transaction)
    await untilSomethingWaits()
    return started
  })

  expect(await purging.result).toBe(0)
  expect(await storedHashes()).toContain(sha256)
})

test('an import whose content was purged meanwhile stores it again', async () => {
  const manifest = manifestOf({ name: 'slow' })
  await folder('slow', { 'muster-package.json': manifest, 'data.txt': 'slowly imported' })
  const path = contentPathOf(store, sha256Of('slowly imported'))

  const importing = await db.transaction().execute(async (transaction) => {
    // The import stores its content and then waits here, as it would for a purge.
    await lockForTransaction(transaction, 'packageContent')
    const started = { result: imported('slow') }
    await untilSomethingWaits()
    await rm(path)
    return started
  })

  expect(await importing.result).toMatchObject({ status: 'Success' })
  expect(await storedHashes()).toContain(sha256Of('slowly imported'))
})

/** Waits until a transaction waits for an advisory lock. */
async function untilSomethingWaits(): Promise<void> {
  await until(async () => {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length > 0 || undefined
  })
}
