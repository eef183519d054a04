import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { Type, text } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import {
  isVersionCondition,
  meetsCondition,
  orderOfDistribution,
  type VersionCondition,
  type VersionOrder,
} from './version-condition.ts'

/** Software with more versions is not what somebody asks for, but a part of many names. */
const maxProducts = 1_000

const version = (example: string, description: string) =>
  Type.Optional({ ...text(100, example, description), minLength: 1 })

export const softwareName = {
  ...text(255, 'openssl', 'Name of installed software, regardless of case; * is any text, ? any character'),
  pattern: '\\S',
}

/** The query parameters that select installed software. */
export const softwareFilters = {
  software: Type.Optional(softwareName),
  softwareBelow: version(
    '3.0.16',
    'Only versions of `software` before this one. The order is that of dpkg, rpm or of numbers, by the system of the computer; an epoch or revision counts only if this version has one.',
  ),
  softwareAtLeast: version('3.0.0', 'Only this version of `software` and later ones'),
  softwareVersion: version('3.0.15', 'Only this version of `software`'),
}

export type SoftwareFilter = {
  software?: string
  softwareBelow?: string
  softwareAtLeast?: string
  softwareVersion?: string
}

export type InstalledProductVersion = {
  id: number
  name: string
  version: string | null
  publisher: string | null
  order: VersionOrder
}

/** What a filter by software selects; undefined if it does not ask for software. */
export type SelectedSoftware = MatchingProducts | undefined

export type MatchingProducts = {
  products: InstalledProductVersion[]
  /** How many versions have the name, but cannot be compared with the condition. */
  unknown: number
}

/** The versions of software that meet the filter. */
export async function findSelectedSoftware(db: Database, filter: SoftwareFilter): Promise<SelectedSoftware> {
  const condition = toCondition(filter)
  if (filter.software === undefined) {
    if (isVersionCondition(condition)) throw invalidPart('query', 'software', 'is required with a version of it')
    return undefined
  }
  const named = await listNamedProducts(db, filter.software)
  const isMet = named.map((product) => meetsCondition(product.version, product.order, condition))
  return {
    products: named.filter((_, at) => isMet[at] === true),
    unknown: isMet.filter((met) => met === undefined).length,
  }
}

function toCondition({ softwareBelow, softwareAtLeast, softwareVersion }: SoftwareFilter): VersionCondition {
  return {
    ...(softwareBelow !== undefined && { below: softwareBelow }),
    ...(softwareAtLeast !== undefined && { atLeast: softwareAtLeast }),
    ...(softwareVersion !== undefined && { equal: softwareVersion }),
  }
}

/**
 * Reads the dictionary of software. The order of a version is that of the system on which it is installed; a name with a version is
 * practically never installed on systems with different package managers, so one computer answers for all.
 */
async function listNamedProducts(db: Database, name: string): Promise<InstalledProductVersion[]> {
  const { rows } = await sql<Omit<InstalledProductVersion, 'order'> & { distribution: string | null }>`
    with named as materialized (
      select id, name, version, publisher from software_products
      where name ilike (like_patterns(array[${name.normalize('NFC').trim()}::text]))[1] limit ${maxProducts + 1}
    )
    select named.*, (
      select distribution_id(computers.os_name)
      from (
        select computer_id from installed_software where product_id = named.id order by computer_id limit 1
      ) as first join computers on computers.id = first.computer_id) as distribution
    from named`.execute(db)
  if (rows.length > maxProducts)
    throw invalidPart('query', 'software', `matches more than ${maxProducts} versions: give more of the name`)
  return rows.map(({ distribution, ...product }) => ({ ...product, order: orderOfDistribution(distribution) }))
}

export const productIds = ({ products }: MatchingProducts): number[] => products.map(({ id }) => id)
