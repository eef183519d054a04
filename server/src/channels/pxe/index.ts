import type { FastifyInstance } from 'fastify'
import { type MountParts, mount } from '../../platform/mount.ts'
import type { AnyOperation } from '../../platform/operation.ts'
import { verifyBootToken } from './boot-token.ts'
import { getBootScript } from './get-boot-script.ts'
import { getInstallation } from './get-installation.ts'
import { reportInstallation } from './report-installation.ts'
import { serveBootFiles } from './serve-boot-files.ts'

export const pxeOperations: readonly AnyOperation[] = [getBootScript, getInstallation, reportInstallation]

/**
 * Mounts the operations that firmware and operating system installers call. Their only credential is the token in the
 * addresses of a boot script.
 */
export function mountPxeChannel(app: FastifyInstance, parts: MountParts): void {
  const { keys } = parts.services
  serveBootFiles(app, parts.lanes.machines.db, parts.services)
  mount(app, pxeOperations, {
    ...parts,
    lane: 'machines',
    authenticateMachine: async ({ params }) => verifyBootToken(keys, (params as { token: string }).token),
  })
}
