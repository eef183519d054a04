import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PackageKind } from '../packages/manifest.ts'

/** A text of the manifest, such as the language of its image. */
const said = (section: 'image' | 'boot', name: string) =>
  sql<string | null>`packages.manifest #>> array[${sql.lit(section)}, ${sql.lit(name)}]`

/** A file that the manifest names, as a path in the package store. */
const pathOf = (file: RawBuilder<string | null>) =>
  sql<string | null>`packages.folder || '/' || translate(${file}, '\\', '/')`

/** The texts about an image by which it is found. */
export const imageTexts = {
  osLanguage: said('image', 'language'),
  os: said('image', 'os'),
  osType: said('image', 'osType'),
  osArchitecture: said('image', 'architecture'),
}

export const bootArchitecture = said('boot', 'architecture')

const imageColumns = [
  pathOf(said('image', 'file')).as('imagePath'),
  imageTexts.osLanguage.as('osLanguage'),
  imageTexts.os.as('os'),
  imageTexts.osType.as('osType'),
  imageTexts.osArchitecture.as('osArchitecture'),
] as const

function packagesOf(db: Database, kind: PackageKind) {
  return db
    .selectFrom('packages')
    .where('packages.kind', '=', kind)
    .select([
      'packages.id',
      'packages.name',
      'packages.version',
      'packages.description',
      'packages.is_operational as operational',
    ])
}

type Sku = { skuId: number; skuIndex: number; edition: string; packageId: string; imageName: string }

/** Operating systems with their editions, as the API shows them. */
export function operatingSystemRows(db: Database) {
  return packagesOf(db, 'OperatingSystem')
    .select(imageColumns)
    .select(
      sql<Sku[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('skuId', sku.id, 'skuIndex', sku.sku_index, 'edition', sku.edition,
          'packageId', sku.package_id, 'imageName', packages.name) order by sku.sku_index), '[]')
        from os_image_skus sku where sku.package_id = packages.id)`.as('skus'),
    )
}

/** Editions of operating systems as the API shows them. */
export function osImageSkuRows(db: Database) {
  return db
    .selectFrom('os_image_skus')
    .innerJoin('packages', 'packages.id', 'os_image_skus.package_id')
    .select([
      'os_image_skus.id as skuId',
      'os_image_skus.sku_index as skuIndex',
      'os_image_skus.edition',
      'os_image_skus.package_id as packageId',
      'packages.name as imageName',
    ])
}

/** What else the manifest tells about the image in which an edition is. */
export const osImageColumns = imageColumns

/** PXE boot images as the API shows them. */
export function pxeBootImageRows(db: Database) {
  return db
    .selectFrom('pxe_boot_images')
    .innerJoin('packages', 'packages.id', 'pxe_boot_images.package_id')
    .select([
      'pxe_boot_images.id',
      'pxe_boot_images.package_id as packageId',
      'packages.name',
      'packages.version',
      'packages.description',
      'packages.is_operational as operational',
      bootArchitecture.as('architecture'),
      pathOf(said('boot', 'loader')).as('loaderPath'),
      pathOf(said('boot', 'kernel')).as('kernelPath'),
      pathOf(said('boot', 'initrd')).as('initrdPath'),
      said('boot', 'arguments').as('kernelArguments'),
    ])
}

/** Language packs as the API shows them. */
export function languagePackRows(db: Database) {
  return packagesOf(db, 'LanguagePack').select(imageColumns)
}

/** Agent templates as the API shows them. */
export function agentTemplateRows(db: Database) {
  return packagesOf(db, 'AgentTemplate').select(
    sql<Record<string, string | number | boolean>>`coalesce(packages.manifest -> 'settings', '{}')`.as('settings'),
  )
}

/** Software classes as the API shows them. */
export function softwareClassRows(db: Database) {
  return db
    .selectFrom('software_classes')
    .select(['software_classes.id', 'software_classes.name', 'software_classes.description'])
}
