import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { openContent, type PackageFile } from '../../../features/packages/content/open-content.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { maxBlockBytes, storedGzipSize, toStoredGzip } from './stored-gzip.ts'

export const partBytes = 1024 * 1024

/** One part of a file, in the form in which it is sent, and its size in that form. An empty file has one part. */
export function openPart(
  file: FileHandle,
  { position, size }: { position: number; size: number },
): { size: number; content: AsyncIterable<Buffer> } {
  const start = position * partBytes
  const length = Math.min(partBytes, size - start)
  return { size: storedGzipSize(length), content: toStoredGzip(readBlocks(file, start, length), length) }
}

/** Reads block by block, as the part is sent: many agents may download parts at once. */
async function* readBlocks(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  if (length === 0) yield Buffer.alloc(0)
  for (let at = 0; at < length; at += maxBlockBytes) {
    const block = Buffer.allocUnsafe(Math.min(maxBlockBytes, length - at))
    const { bytesRead } = await file.read(block, 0, block.length, start + at)
    if (bytesRead < block.length) throw new Error('A file became shorter while a part of it was sent.')
    yield block
  }
}

async function hashPart(content: Buffer): Promise<Buffer> {
  const hash = createHash('sha512')
  for await (const chunk of toStoredGzip(toBlocks(content), content.length)) hash.update(chunk)
  return hash.digest()
}

function toBlocks(content: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(content.length / maxBlockBytes))
  return Array.from({ length: count }, (_, n) => content.subarray(n * maxBlockBytes, (n + 1) * maxBlockBytes))
}

/** Files of the packages that are due on the computer and whose parts are not computed yet. */
export async function listFilesWithoutParts(db: Database, computerId: number): Promise<PackageFile[]> {
  const { rows } = await sql<PackageFile>`
    select distinct on (file.sha256) p.folder, file.path, file.size, encode(file.sha256, 'hex') as sha256
    from work w
      join packages p on p.id = w.package_id
      join package_files file on file.package_id = p.id
    where w.computer_id = ${computerId} and ${isOpenWork('w.state')} and w.not_before <= now()
      and w.kind <> 'OperatingSystem' and p.is_operational and p.hash_state = 'Current' and p.folder is not null
      and not exists (select from file_digests digest where digest.sha256 = file.sha256)
    order by file.sha256`.execute(db)
  return rows
}

/** Agents that need the same file at the same time share one computation. */
const computations = new Map<string, Promise<void>>()

/** Computes and stores the parts of a file. Stores nothing for a file that has changed since its import. */
export function ensureFileParts(db: Database, store: string, file: PackageFile): Promise<void> {
  const running = computations.get(file.sha256)
  if (running !== undefined) return running
  const computation = computeParts(db, store, file).finally(() => computations.delete(file.sha256))
  computations.set(file.sha256, computation)
  return computation
}

async function computeParts(db: Database, store: string, described: PackageFile): Promise<void> {
  const { size, sha256 } = described
  const file = await openContent(store, described)
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
      parts.push(await hashPart(part))
    } while (parts.length * partBytes < size)
  } finally {
    await file.close()
  }
  if (compared.digest('hex') === sha256) await insertParts(db, sha256, whole.digest(), parts)
}

async function insertParts(db: Database, sha256: string, sha512: Buffer, parts: readonly Buffer[]): Promise<void> {
  await sql`
    with digest as (
      insert into file_digests (sha256, sha512) values (decode(${sha256}, 'hex'), ${sha512})
      on conflict do nothing returning sha256
    )
    insert into file_parts (sha256, position, part_sha512)
    select digest.sha256, part.position - 1, part.sha512
    from digest, unnest(${parts}::bytea[]) with ordinality as part (sha512, position)`.execute(db)
}

/** Deletes the parts of files that no package has any more. Returns the number of files. */
export async function purgeUnreferencedParts(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from file_digests digest
    where not exists (select from package_files file where file.sha256 = digest.sha256)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
