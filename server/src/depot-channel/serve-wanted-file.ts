import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { isWantedBy } from '../domain/depots/wanted-packages.ts'
import { openPackageFile } from '../domain/packages/open-package-file.ts'
import { sendFile } from '../platform/http/send-file.ts'
import type { AuthenticateMachine } from '../platform/mount.ts'
import { closed, Uuid } from '../platform/schema.ts'
import { validate } from '../platform/validation.ts'
import { fileMissing, packageNotWanted } from './problems.ts'
import { Sha256 } from './schemas.ts'

const Path = closed({ id: Uuid, sha256: Sha256 })

/** The content of files. No operation, because it is a stream with ranges of bytes. */
export function serveWantedFile(
  app: FastifyInstance,
  db: Database,
  store: string,
  authenticate: AuthenticateMachine,
): void {
  app.get<{ Params: { id: string; sha256: string } }>('/depot/v1/packages/:id/files/:sha256', {
    onRequest: async (request: FastifyRequest) => {
      request.machine = await authenticate(request.headers.authorization, request)
    },
    async handler(request, reply) {
      validate('path', Path, request.params)
      const { id, sha256 } = request.params
      const found = await db
        .selectFrom('packages')
        .innerJoin('package_files', 'package_files.package_id', 'packages.id')
        .select(['packages.folder', 'package_files.path', 'package_files.size'])
        .where('packages.id', '=', id)
        .where('package_files.sha256', '=', Buffer.from(sha256, 'hex'))
        .where(isWantedBy(request.machine.clientId))
        .executeTakeFirst()
      if (!found?.folder) throw packageNotWanted({ packageId: id, sha256 })
      const size = Number(found.size)
      const file = await openPackageFile(store, found.folder, found.path)
      if (!file) throw fileMissing({ packageId: id, sha256 })
      if ((await file.stat()).size !== size) {
        await file.close()
        throw fileMissing({ packageId: id, sha256 })
      }
      return sendFile(request, reply, { file, size, etag: `"${sha256}"` })
    },
  })
}
