import { type RawBuilder, sql } from 'kysely'
import type { MatchKind } from './compare/component-candidates.ts'

/** The package in the key of a component. Names of npm may contain a slash themselves. */
export function packageOf(component: string): RawBuilder<string> {
  return sql<string>`substring(${sql.ref(component)} from '^[^/]*/[^/]*/(.*)$')`
}

/** The properties of an affected package, of `vulnerable_components` as `found` with its component, product and source. */
export const foundPackage = {
  package: packageOf('component.component'),
  platform: sql<string>`component.platform`,
  packageVersion: sql<string>`component.version`,
  fixedVersion: sql<string | null>`found.fixed_version`,
  match: sql<MatchKind>`component.match_kind`,
  advisory: sql<string>`found.advisory`,
  source: sql<string>`source.name`,
  firstSeenUtc: sql<Date>`found.first_seen_at`,
  productName: sql<string>`product.name`,
  installedVersion: sql<string | null>`product.version`,
}

/** The tables of `foundPackage`. */
export const foundPackages = sql`vulnerable_components found
  join installed_components component on component.id = found.component_id
  join software_products product on product.id = component.product_id
  join vulnerability_sources source on source.id = found.source_id`

export const foundPackageSelection = sql.join(
  Object.entries(foundPackage).map(([name, value]) => sql`${value} as ${sql.ref(name)}`),
)
