import { pathFault } from '@muster/package-format'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { findBootGrant } from '../../features/os-deployment/boot-grants.ts'
import { languagePacksOf } from '../../features/os-deployment/installable-language-packs.ts'
import { preOsPackagesOf } from '../../features/os-deployment/pre-os-packages.ts'
import { openContent } from '../../features/packages/content/open-content.ts'
import { sendFile } from '../../platform/http/send-file.ts'
import type { Services } from '../../platform/services.ts'
import { type BootTokenContent, verifyBootToken } from './boot-token.ts'
import { bootFileNotFound, bootTokenInvalid } from './problems.ts'

/** The parts with several packages, whose paths begin with the id of the package. */
const packagesOfPart = new Map<string, (clientId: number) => RawBuilder<{ id: string }>>([
  ['languages', languagePacksOf],
  ['packages', preOsPackagesOf],
])

type Route = { Params: { token: string; part: string; '*': string } }

/** Serves the files of the boot image, of the operating system and of what comes with it, that the token of a boot script gives access to. */
export function serveBootFiles(app: FastifyInstance, db: Database, { configuration, keys }: Services): void {
  app.get<Route>('/boot/files/:token/:part/*', async (request, reply) => {
    const { token, part, '*': address } = request.params
    const path = packagesOfPart.has(part) ? address.slice(address.indexOf('/') + 1) : address
    const requireGrant = async () => {
      const verified = await verifyBootToken(keys, token)
      if (!(await findBootGrant(db, verified.grantId))) throw bootTokenInvalid()
      return verified
    }
    const content = await requireGrant()
    const found = await findFile(db, content, part, address, path)
    if (!found?.folder) throw bootFileNotFound()
    const [size, sha256] = [Number(found.size), found.sha256.toString('hex')]
    const file = await openContent(configuration.packageStore, { folder: found.folder, path, size, sha256 })
    if (!file) throw bootFileNotFound()
    return sendFile(
      request,
      reply,
      { file, size, etag: `"${sha256}"` },
      { requireAccess: async () => void (await requireGrant()) },
    )
  })
}

async function findFile(db: Database, token: BootTokenContent, part: string, address: string, path: string) {
  const packageId = selectPackageId(db, token, part, address)
  if (!packageId || pathFault(address)) return undefined
  return db
    .selectFrom('package_files')
    .innerJoin('packages', 'packages.id', 'package_files.package_id')
    .select(['packages.folder', 'package_files.size', 'package_files.sha256'])
    .where('packages.id', 'in', packageId)
    .where('package_files.path', '=', path)
    .where('packages.is_operational', '=', true)
    .where('packages.hash_state', '=', 'Current')
    .executeTakeFirst()
}

function selectPackageId(db: Database, { clientId, imageId, skuId }: BootTokenContent, part: string, address: string) {
  if (part === 'boot') return db.selectFrom('pxe_boot_images').select('package_id').where('id', '=', imageId)
  if (part === 'os' && skuId !== null)
    return db.selectFrom('os_image_skus').select('package_id').where('id', '=', skuId)
  const packages = packagesOfPart.get(part)
  return (
    packages &&
    db
      .selectFrom(sql<{ id: string }>`(${packages(clientId)})`.as('of_part'))
      .select('of_part.id as package_id')
      .where(sql<boolean>`of_part.id::text = ${address.split('/')[0]}`)
  )
}
