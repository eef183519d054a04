import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { openPackageFile } from '../../../features/packages/open-package-file.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { storedGzip } from './stored-gzip.ts'

export const partBytes = 1024 * 1024

export type PackageFile = { folder: string; path: string; size: number; sha256: string }

/** Part number `position` of a file that is open, as it is sent. A file that is empty has one part. */
export async function readPart(file: FileHandle, position: number): Promise<Buffer> {
  const content = Buffer.allocUnsafe(partBytes)
  const { bytesRead } = await file.read(content, 0, partBytes, position * partBytes)
  return storedGzip(content.subarray(0, bytesRead))
}

/** Files of the packages that wait for the computer, and whose parts nobody has computed yet. */
export async function unknownFiles(db: Database, computerId: number): Promise<PackageFile[]> {
  const { rows } = await sql<PackageFile>`
    select distinct on (file.sha256) p.folder, file.path, file.size, encode(file.sha256, 'hex') as sha256
    from work w
      join packages p on p.id = w.package_id
      join package_files file on file.package_id = p.id
    where w.computer_id = ${computerId} and ${isOpenWork('w.state')} and w.not_before <= now()
      and w.kind <> 'OperatingSystem' and p.is_operational and p.hash_state = 'Current' and p.folder is not null
      and not exists (select from file_digests known where known.sha256 = file.sha256)
    order by file.sha256`.execute(db)
  return rows
}

/** Two agents that want the same package at once wait for one computation. */
const underWay = new Map<string, Promise<void>>()

/** Computes and keeps the parts of a file. One that is not as it was imported is left out: its work cannot be done. */
export function learnParts(db: Database, store: string, file: PackageFile): Promise<void> {
  const known = underWay.get(file.sha256)
  if (known !== undefined) return known
  const learning = learn(db, store, file).finally(() => underWay.delete(file.sha256))
  underWay.set(file.sha256, learning)
  return learning
}

async function learn(db: Database, store: string, { folder, path, size, sha256 }: PackageFile): Promise<void> {
  const file = await openPackageFile(store, folder, path)
  if (!file) return
  const [whole, compared] = [createHash('sha512'), createHash('sha256')]
  const parts: Buffer[] = []
  try {
    const content = Buffer.allocUnsafe(partBytes)
    do {
      const { bytesRead } = await file.read(content, 0, partBytes, parts.length * partBytes)
      const part = content.subarray(0, bytesRead)
      whole.update(part)
      compared.update(part)
      parts.push(createHash('sha512').update(storedGzip(part)).digest())
    } while (parts.length * partBytes < size)
  } finally {
    await file.close()
  }
  if (compared.digest('hex') === sha256) await keepParts(db, sha256, whole.digest(), parts)
}

async function keepParts(db: Database, sha256: string, sha512: Buffer, parts: readonly Buffer[]): Promise<void> {
  await sql`
    with known as (
      insert into file_digests (sha256, sha512) values (decode(${sha256}, 'hex'), ${sha512})
      on conflict do nothing returning sha256
    )
    insert into file_parts (sha256, position, part_sha512)
    select known.sha256, part.position - 1, part.sha512
    from known, unnest(${parts}::bytea[]) with ordinality as part (sha512, position)`.execute(db)
}

/** Forgets the parts of files that no package has any more. Returns of how many files. */
export async function purgeUnreferencedParts(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from file_digests known
    where not exists (select from package_files file where file.sha256 = known.sha256)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
