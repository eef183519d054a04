import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { findPlatformByName } from '../../patches/components/platforms.ts'
import type { SbomProduct } from './components.ts'

/** The release of a distribution, whether advisories for it are compared or not. */
const platformOf = (name: string, version: string): string | null => {
  const platform = findPlatformByName(`${name} ${version}`) ?? findPlatformByName(name)
  return platform?.type ? platform.key : null
}

/** What people may say about a product, an alias `product` of the query. */
const productColumns = sql`product.name, product.version, product.publisher, (
    select jsonb_agg(jsonb_build_object('name', source.name, 'version', source.version, 'language', source.language) order by source.id)
    from software_sources source where source.product_id = product.id) as sources`

type Described = { name: string; osName: string | null; osVersion: string | null; inventoryAt: Date | null }

/** A computer with the software of its last inventory; undefined if it does not exist. */
export async function readComputerProducts(db: Database, computerId: number) {
  const { rows } = await sql<Described>`
    select name, os_name as "osName", os_version as "osVersion", inventory_at as "inventoryAt"
    from computers where id = ${computerId}`.execute(db)
  const [computer] = rows
  if (!computer) return undefined
  const platform = platformOf(computer.osName ?? '', computer.osVersion ?? '')
  const { rows: products } = await sql<SbomProduct>`
    select ${productColumns}, ${platform}::text as platform
    from installed_software installed join software_products product on product.id = installed.product_id
    where installed.computer_id = ${computerId}
    order by product.name, product.id`.execute(db)
  return { name: computer.name, inventoryAt: computer.inventoryAt, products }
}

/** The products of some or all computers, each once for each platform. Those of most computers come first. */
export async function readFleetProducts(
  db: Database,
  scope: RawBuilder<{ computer_id: number }> | undefined,
  limit: number,
): Promise<SbomProduct[]> {
  const { rows: systems } = await sql<{ name: string; version: string }>`
    select distinct os_name as name, coalesce(os_version, '') as version from computers
    where os_name is not null`.execute(db)
  const known = systems.flatMap(({ name, version }) => {
    const platform = platformOf(name, version)
    return platform === null ? [] : [{ name, version, platform }]
  })
  const { rows } = await sql<SbomProduct>`
    with system as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as system (name text, version text, platform text)
    ), computer as materialized (
      select computers.id, system.platform
      from computers left join system on system.name = computers.os_name
        and system.version = coalesce(computers.os_version, '')
      ${scope ? sql`where computers.id in (${scope})` : sql``}
    ), counted as materialized (
      select installed.product_id, computer.platform, count(*)::integer as computers
      from installed_software installed join computer on computer.id = installed.computer_id
      group by installed.product_id, computer.platform
      order by computers desc, installed.product_id, computer.platform
      limit ${limit}
    )
    select ${productColumns}, counted.platform, counted.computers
    from counted join software_products product on product.id = counted.product_id
    order by counted.computers desc, product.name, product.id, counted.platform`.execute(db)
  return rows
}
