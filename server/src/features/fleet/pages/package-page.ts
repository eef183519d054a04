import type { ManifestConditions } from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { GoneMeanwhile } from '../../../database/errors.ts'
import { timeAsJson } from '../../../database/sql-time.ts'
import { groupsWithPackage } from '../../assignments/directly-assigned-groups.ts'
import { failureCauses } from '../../deployments/failures/current-failures.ts'
import {
  currentDeploymentCounts,
  type DeploymentCounts,
  deploymentCounts,
  deploymentsCountedAt,
} from '../../deployments/package-counts.ts'
import { type PackageRelations, packageRelations } from './package-relations.ts'

const maxGroups = 500
const maxVersions = 50

export function listGroupsOfPackage(db: Database, packageId: string) {
  return groupsWithPackage(db, packageId).select('path').orderBy('path').limit(maxGroups).execute()
}

/** The computers on which the package currently fails, grouped by cause. */
export async function listFailureCauses(db: Database, packageId: string) {
  const { rows } = await failureCauses(packageId).execute(db)
  return rows
}

type PackageDetails = {
  folder: string | null
  importedAtUtc: Date | null
  fileCount: number
  sizeBytes: number
  tags: { id: number; designation: string }[]
  versions: PackageVersion[]
  relations: PackageRelations
  /** What a computer must have or be for the package. */
  onlyFor: ManifestConditions | null
}

type PackageVersion = {
  id: string
  version: string | null
  revision: string | null
  os: string[]
  operational: boolean
  hashState: 'None' | 'Current' | 'Mismatch'
  deployments: DeploymentCounts
  deploymentsCountedUtc: Date | null
}

/** What the page shows of the package beside its properties: files, tags, relations, and the versions of its line. */
export async function getPackageDetails(db: Database, packageId: string): Promise<PackageDetails> {
  const { rows } = await sql<PackageDetails>`
    select own.folder, case when own.folder is not null then own.imported_at end as "importedAtUtc",
      (select count(*)::integer from package_files where package_id = own.id) as "fileCount",
      (select coalesce(sum(size), 0)::double precision from package_files where package_id = own.id) as "sizeBytes",
      (select coalesce(jsonb_agg(jsonb_build_object('id', tags.id, 'designation', tags.designation)
          order by lower(tags.designation), tags.id), '[]')
        from package_tags join tags on tags.id = package_tags.tag_id where package_tags.package_id = own.id) as tags,
      (select jsonb_agg(listed.version order by listed.imported_at desc, listed.id)
        from (
          select packages.id, packages.imported_at, jsonb_build_object('id', packages.id, 'version', packages.version,
            'revision', packages.revision, 'os', packages.operating_systems, 'operational', packages.is_operational,
            'hashState', packages.hash_state,
            'deployments', case when packages.id = own.id then ${currentDeploymentCounts} else ${deploymentCounts} end,
            'deploymentsCountedUtc', case when packages.id <> own.id then ${timeAsJson(deploymentsCountedAt)} end) as version
          from packages
          where packages.id = own.id
            or packages.kind = own.kind and packages.line_key = own.line_key
          order by packages.imported_at desc, packages.id limit ${maxVersions}
        ) as listed) as versions,
      ${packageRelations} as relations, own.conditions as "onlyFor"
    from packages own where own.id = ${packageId}`.execute(db)
  const [details] = rows
  if (!details) throw new GoneMeanwhile('The package does not exist any more.')
  return details
}
