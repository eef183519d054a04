import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Authenticate } from '../../platform/authentication/authenticate.ts'
import { mount } from '../../platform/mount.ts'
import type { Services } from '../../platform/services.ts'
import { verifyBootToken } from './boot-token.ts'
import { getBootScript } from './get-boot-script.ts'
import { reportInstallation } from './report-installation.ts'
import { serveBootFiles } from './serve-boot-files.ts'

/**
 * Mounts the operations that firmware and operating system installers call. Their only credential is the token in the
 * addresses of a boot script.
 */
export function mountPxeChannel(
  app: FastifyInstance,
  parts: { db: Database; services: Services; authenticate: Authenticate },
): void {
  const { keys } = parts.services
  serveBootFiles(app, parts.db, parts.services)
  mount(app, [getBootScript, reportInstallation], {
    ...parts,
    authenticateMachine: async ({ params }) => verifyBootToken(keys, (params as { token: string }).token),
  })
}
