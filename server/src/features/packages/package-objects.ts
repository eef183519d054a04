import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { containing } from '../../platform/like-pattern.ts'
import type { PackageKind } from './manifest.ts'
import {
  agentTemplateNotFound,
  languagePackNotFound,
  operatingSystemImportNotFound,
  osImageSkuNotFound,
  pxeBootImageNotFound,
  softwareClassNotFound,
} from './problems.ts'

/** A text of the manifest, such as the language of its image. */
const said = (section: 'image' | 'boot', name: string) =>
  sql<string | null>`packages.manifest #>> array[${sql.lit(section)}, ${sql.lit(name)}]`

/** A file that the manifest names, as a path in the package store. */
const pathOf = (file: RawBuilder<string | null>) =>
  sql<string | null>`packages.folder || '/' || translate(${file}, '\\', '/')`

/** What the manifest of an operating system or of a language pack tells about its image. */
const imageTexts = {
  osLanguage: said('image', 'language'),
  os: said('image', 'os'),
  osType: said('image', 'osType'),
  osArchitecture: said('image', 'architecture'),
}

/** Whether each text that is given occurs in what the manifest tells about the image. */
export function imageContains(texts: { [K in keyof typeof imageTexts]?: string | null }) {
  const conditions = Object.entries(imageTexts).flatMap(([name, said]) => {
    const part = texts[name as keyof typeof imageTexts]
    return part ? [sql`${said} ilike ${containing(part)}`] : []
  })
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** The processor for which the manifest of a boot image says it is. */
export const bootArchitecture = said('boot', 'architecture')

/** The image in the package, for objects whose image it is. */
export const imageColumns = [
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

export async function getOperatingSystemById(db: Database, id: string) {
  const found = await operatingSystemRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw operatingSystemImportNotFound({ packageId: id })
  return found
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

/** The edition, if it is one of the operating system. */
export async function getOsImageSku(db: Database, packageId: string, skuId: number) {
  const found = await osImageSkuRows(db)
    .where('os_image_skus.id', '=', skuId)
    .where('os_image_skus.package_id', '=', packageId)
    .executeTakeFirst()
  if (found) return found
  await getOperatingSystemById(db, packageId)
  throw osImageSkuNotFound({ packageId, skuId })
}

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

export async function getPxeBootImageById(db: Database, id: number) {
  const found = await pxeBootImageRows(db).where('pxe_boot_images.id', '=', id).executeTakeFirst()
  if (!found) throw pxeBootImageNotFound({ pxeId: id })
  return found
}

/** Language packs as the API shows them. */
export function languagePackRows(db: Database) {
  return packagesOf(db, 'LanguagePack').select(imageColumns)
}

export async function getLanguagePackById(db: Database, id: string) {
  const found = await languagePackRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw languagePackNotFound({ packageId: id })
  return found
}

/** Agent templates as the API shows them. */
export function agentTemplateRows(db: Database) {
  return packagesOf(db, 'AgentTemplate').select(
    sql<Record<string, string | number | boolean>>`coalesce(packages.manifest -> 'settings', '{}')`.as('settings'),
  )
}

export async function getAgentTemplateById(db: Database, id: string) {
  const found = await agentTemplateRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw agentTemplateNotFound({ packageId: id })
  return found
}

/** Software classes as the API shows them. */
export function softwareClassRows(db: Database) {
  return db
    .selectFrom('software_classes')
    .select(['software_classes.id', 'software_classes.name', 'software_classes.description'])
}

export async function getSoftwareClassById(db: Database, id: number) {
  const found = await softwareClassRows(db).where('software_classes.id', '=', id).executeTakeFirst()
  if (!found) throw softwareClassNotFound({ classId: id })
  return found
}
