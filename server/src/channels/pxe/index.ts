import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Authenticate } from '../../platform/authentication/authenticate.ts'
import { mount } from '../../platform/mount.ts'
import type { Services } from '../../platform/services.ts'
import { readBootToken } from './boot-token.ts'
import { getBootScript } from './get-boot-script.ts'
import { reportInstallation } from './report-installation.ts'
import { serveBootFile } from './serve-boot-file.ts'

/**
 * Mounts what firmware and installers of operating systems call. The only credential is the token in the URLs of a boot
 * script.
 */
export function mountPxeChannel(
  app: FastifyInstance,
  parts: { db: Database; services: Services; authenticate: Authenticate },
): void {
  const { keys } = parts.services
  serveBootFile(app, parts.db, parts.services)
  mount(app, [getBootScript, reportInstallation], {
    ...parts,
    authenticateMachine: async ({ params }) => readBootToken(keys, (params as { token: string }).token),
  })
}
