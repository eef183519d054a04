import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { openPackageFile } from '../../features/packages/open-package-file.ts'
import { pathFault } from '../../features/packages/paths.ts'
import { sendFile } from '../../platform/http/send-file.ts'
import type { Services } from '../../platform/services.ts'
import { type BootGrant, readBootToken } from './boot-token.ts'
import { bootFileNotFound } from './problems.ts'

type Route = { Params: { token: string; part: string; '*': string } }

/** The files of the boot image and of the operating system for which a script was given out. */
export function serveBootFile(app: FastifyInstance, db: Database, { configuration, keys }: Services): void {
  app.get<Route>('/boot/files/:token/:part/*', async (request, reply) => {
    const { token, part, '*': path } = request.params
    const found = await findFile(db, await readBootToken(keys, token), part, path)
    const file = found?.folder ? await openPackageFile(configuration.packageStore, found.folder, found.path) : undefined
    if (!found || !file) throw bootFileNotFound()
    const size = Number(found.size)
    if ((await file.stat()).size !== size) {
      await file.close()
      throw bootFileNotFound()
    }
    return sendFile(request, reply, { file, size, etag: `"${found.sha256.toString('hex')}"` })
  })
}

async function findFile(db: Database, grant: BootGrant, part: string, path: string) {
  const packages = packageOf(db, grant, part)
  if (!packages || pathFault(path)) return undefined
  return db
    .selectFrom('package_files')
    .innerJoin('packages', 'packages.id', 'package_files.package_id')
    .select(['packages.folder', 'package_files.path', 'package_files.size', 'package_files.sha256'])
    .where('packages.id', 'in', packages)
    .where('package_files.path', '=', path)
    .where('packages.is_operational', '=', true)
    .where('packages.hash_state', '=', 'Current')
    .executeTakeFirst()
}

function packageOf(db: Database, { imageId, skuId }: BootGrant, part: string) {
  if (part === 'boot') return db.selectFrom('pxe_boot_images').select('package_id').where('id', '=', imageId)
  if (part === 'os' && skuId !== null)
    return db.selectFrom('os_image_skus').select('package_id').where('id', '=', skuId)
  return undefined
}
