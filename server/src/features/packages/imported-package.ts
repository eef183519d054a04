import type { PackageManifest } from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { hasIdentity } from './write-package.ts'

/** A package as its last import has stored it. */
export type ImportedPackage = {
  id: string
  kind: string
  /** Without the list of files. Empty for a package that was not imported. */
  manifest: Partial<PackageManifest>
  files: readonly { path: string; sha256: string }[]
  isSigned: boolean
}

/** The package with the name, version, revision and operating systems of a manifest. */
export async function findByIdentity(db: Database, manifest: PackageManifest): Promise<ImportedPackage | undefined> {
  const { rows } = await sql<ImportedPackage>`
    select id, kind, coalesce(manifest, '{}') as manifest, signature_key_id is not null as "isSigned",
      coalesce(
        (select jsonb_agg(jsonb_build_object('path', path, 'sha256', encode(sha256, 'hex')))
          from package_files where package_id = packages.id), '[]') as files
    from packages where ${hasIdentity(manifest)}`.execute(db)
  return rows[0]
}
