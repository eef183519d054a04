import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { isPxeActive } from '../computers/computer-rows.ts'
import { ouVariableName } from '../computers/organizational-unit.ts'
import { loadWorkVariables, type WorkVariables } from '../deployments/started-work/work-variables.ts'
import { isActivatedWith } from './find-boot-plan.ts'
import { languagePacksOf } from './installable-language-packs.ts'
import { preOsPackagesOf } from './pre-os-packages.ts'

/** What the installer of an operating system needs to know about its computer. It contains no secrets. */
export type Installation = Pick<WorkVariables, 'variables' | 'collections'> & {
  computer: { id: number; name: string; domain: string | null; isDomain: boolean; ou: string | null }
  /** Null if the computer gets its address by DHCP. */
  network: { ipAddress: string; subnetMask: string | null; standardGateway: string | null } | null
  /** Null when only a boot image is assigned. */
  operatingSystem: { name: string; file: string; index: number; edition: string } | null
  languagePacks: { packageId: string; name: string; language: string; file: string }[]
  /** In the order in which an agent would run them. */
  preOsPackages: { packageId: string; name: string; version: string | null; files: string[] }[]
}

type Row = Omit<Installation, 'variables' | 'collections'>

/** What the boot script of an installation was made with. */
export type BootedWith = { clientId: number; imageId: number; skuId: number | null }

/** The installation of the computer; undefined unless it is still activated for PXE with what it has booted. */
export async function findInstallation(
  db: Database,
  keys: ServerKeys,
  { clientId, imageId, skuId }: BootedWith,
): Promise<Installation | undefined> {
  const { rows } = await sql<Row>`
    select
      jsonb_build_object('id', computers.id, 'name', computers.name, 'domain', computers.domain,
        'isDomain', computers.is_domain) as computer,
      case when computers.ip_address is not null then jsonb_build_object('ipAddress', computers.ip_address,
        'subnetMask', computers.subnet_mask, 'standardGateway', computers.standard_gateway) end as network,
      case when sku.id is not null then jsonb_build_object('name', os.name, 'file', os.manifest #>> '{image,file}',
        'index', sku.sku_index, 'edition', sku.edition) end as "operatingSystem",
      (select coalesce(jsonb_agg(jsonb_build_object('packageId', pack.id, 'name', pack.name,
          'language', pack.manifest #>> '{image,language}', 'file', pack.manifest #>> '{image,file}') order by pack.name, pack.id), '[]')
        from (${languagePacksOf(clientId)}) as pack) as "languagePacks",
      (select coalesce(jsonb_agg(jsonb_build_object('packageId', package.id, 'name', package.name, 'version', package.version,
          'files', (select coalesce(jsonb_agg(path order by path), '[]') from package_files where package_id = package.id))
          order by package.work_id), '[]')
        from (${preOsPackagesOf(clientId)}) as package) as "preOsPackages"
    from computers
      left join os_image_skus sku on sku.id = ${skuId}::integer
      left join packages os on os.id = sku.package_id
    where computers.id = ${clientId} and ${isPxeActive}
      and ${isActivatedWith(sql`${imageId}::integer`, sql`${skuId}::integer`)}`.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { variables, collections } = await loadWorkVariables(db, keys, clientId, [])
  return { ...found, computer: { ...found.computer, ou: variables[ouVariableName] ?? null }, variables, collections }
}
