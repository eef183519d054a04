import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { givenPackage } from '../depots/given-packages.ts'
import type { World } from '../world/open-world.ts'

export const sha256Of = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

export type StoredPackage = { id: string; name: string; folder: string }

/** Creates a package with these files in the store, as after an import. */
export async function givenStoredPackage(
  db: World['db'],
  store: string,
  files: Record<string, Buffer | string>,
  tags: readonly { id: number }[] = [],
): Promise<StoredPackage> {
  const { id, name } = await givenPackage(db, { tags })
  const folder = `folder-${randomBytes(4).toString('hex')}`
  await replaceFiles(db, store, { id, name, folder }, files)
  return { id, name, folder }
}

export async function replaceFiles(
  db: World['db'],
  store: string,
  { id, folder }: StoredPackage,
  files: Record<string, Buffer | string>,
): Promise<void> {
  await db.deleteFrom('package_files').where('package_id', '=', id).execute()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(store, folder, path)), { recursive: true })
    await writeFile(join(store, folder, path), content)
    await db
      .insertInto('package_files')
      .values({ package_id: id, path, size: Buffer.byteLength(content), sha256: Buffer.from(sha256Of(content), 'hex') })
      .execute()
  }
  await db
    .updateTable('packages')
    .set({ folder, content_hash: randomBytes(32), hash_state: 'Current' })
    .where('id', '=', id)
    .execute()
}
