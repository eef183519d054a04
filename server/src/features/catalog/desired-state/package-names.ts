import { isDeepStrictEqual } from 'node:util'
import { caselessKey } from '@muster/text'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { invalidPart } from '../../../platform/validation.ts'
import type { PackageReference } from '../api/desired-state/document-schemas.ts'
import { formatPackageLabel } from './package-label.ts'

export type NamedPackage = {
  id: string
  /** Name, version and, as far as needed, revision and operating systems: different for every package. */
  label: string
  reference: PackageReference
  hash: string | null
  released: boolean
  /** The editions of an operating system image. */
  skus: { id: number; edition: string }[]
  /** Set for a PXE boot image. */
  pxeId: number | null
}

/** The packages of the service by their names. */
export type PackageNames = {
  list: readonly NamedPackage[]
  /** The label of the package that the reference means. That of an unknown package is made from the reference. */
  labelOf(reference: PackageReference): string
  find(label: string): NamedPackage | undefined
  findById(id: string): NamedPackage | undefined
  /** The place of a package in the list, which is ordered by name. */
  rankOf(named: NamedPackage): number
}

type Row = {
  id: string
  name: string
  version: string
  revision: string | null
  operatingSystems: string[]
  hash: string | null
  released: boolean
  skus: { id: number; edition: string }[]
  pxeId: number | null
}

export async function readPackageNames(db: Database): Promise<PackageNames> {
  const { rows } = await sql<Row>`
    select id, package_name as name, version, revision, operating_systems as "operatingSystems",
      encode(content_hash, 'hex') as hash, is_operational as released,
      (select coalesce(jsonb_agg(jsonb_build_object('id', sku.id, 'edition', sku.edition) order by sku.sku_index), '[]')
        from os_image_skus sku where sku.package_id = packages.id) as skus,
      (select image.id from pxe_boot_images image where image.package_id = packages.id) as "pxeId"
    from packages where package_name is not null and version is not null
    order by lower(package_name), lower(version), lower(coalesce(revision, '')), operating_systems`.execute(db)
  const sameName = Map.groupBy(rows, nameKey)
  const versions = Map.groupBy(rows, versionKey)
  const list = rows.map(({ id, hash, released, skus, pxeId, ...row }) => {
    const isAmbiguous = (sameName.get(nameKey(row)) ?? []).length > 1
    const { operatingSystems, revision, ...identity } = row
    const reference: PackageReference = {
      ...identity,
      ...(revision !== null && { revision }),
      ...(isAmbiguous && { operatingSystems }),
    }
    return { id, hash, released, skus, pxeId, reference, label: formatPackageLabel(reference) }
  })
  const ranks = new Map(list.map(({ id }, rank) => [id, rank]))
  const byId = new Map(list.map((named) => [named.id, named]))
  const byLabel = new Map(list.map((named) => [named.label.toLowerCase(), named]))
  return {
    list,
    labelOf(reference) {
      const found = findMatches(versions.get(versionKey(reference)) ?? [], reference)
      if (found.length > 1)
        throw invalidPart(
          'body',
          'state.packages',
          `contains '${formatPackageLabel(reference)}', which may be one of ${found.length} packages: name its revision or operating systems`,
        )
      const [match] = found
      return (match && byId.get(match.id)?.label) ?? formatPackageLabel(reference)
    },
    find: (label) => byLabel.get(label.toLowerCase()),
    findById: (id) => byId.get(id),
    rankOf: ({ id }) => ranks.get(id) ?? -1,
  }
}

const nameKey = ({ name, version, revision }: Pick<Row, 'name' | 'version' | 'revision'>) =>
  caselessKey(name, version, revision ?? '')

const versionKey = ({ name, version }: Pick<Row, 'name' | 'version'>) => caselessKey(name, version)

/**
 * The packages of a name and version that the reference means. One without a revision means the package that has none, if there
 * is one.
 */
function findMatches(rows: readonly Row[], { revision: wanted, operatingSystems: systems }: PackageReference): Row[] {
  const matches = rows.filter(
    ({ revision, operatingSystems }) =>
      (wanted == null || (revision ?? '').toLowerCase() === wanted.toLowerCase()) &&
      (systems === undefined || isDeepStrictEqual(operatingSystems.toSorted(), systems.toSorted())),
  )
  const plain = matches.filter(({ revision }) => revision === null)
  const candidates = plain.length > 0 ? plain : matches
  // Packages can list the same operating systems in different orders.
  const exact = candidates.filter(({ operatingSystems }) => isDeepStrictEqual(operatingSystems, systems))
  return exact.length > 0 ? exact : candidates
}
