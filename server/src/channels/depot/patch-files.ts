import { type RawBuilder, sql } from 'kysely'
import { storedPatchContents } from '../../features/patches/files/stored-patch-files.ts'

/**
 * A depot gets the stored files of all patches with every fix package. Which computers need which of them is decided when
 * their agents begin the work. All expressions refer to a row of `packages`.
 */
export const patchFilesOfPackage: RawBuilder<{ path: string; size: number; sha256: Buffer }> = sql`
  select 'muster-patches/' || encode(stored.sha256, 'hex') as path, stored.size, stored.sha256
  from (${storedPatchContents}) as stored where packages.kind = 'PatchFix'`

/** The size of a stored file of patches, if the package is a fix package. */
export const patchFileSize = (sha256: string): RawBuilder<number | null> => sql<number | null>`(
  select file.size from (${patchFilesOfPackage}) as file where file.sha256 = decode(${sha256}, 'hex'))`

/** The hash over everything that the depot gets with the package. */
export const depotContentHash: RawBuilder<string> = sql<string>`encode(coalesce((
  select sha256(packages.content_hash || string_agg(file.sha256, ''::bytea order by file.sha256))
  from (${patchFilesOfPackage}) as file), packages.content_hash), 'hex')`
