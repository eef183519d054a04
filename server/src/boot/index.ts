import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Authenticate } from '../platform/authentication/authenticate.ts'
import { mount } from '../platform/mount.ts'
import type { Area } from '../platform/operation.ts'
import type { Services } from '../platform/services.ts'
import { readBootToken } from './boot-token.ts'
import { getBootScript } from './get-boot-script.ts'
import { reportInstallation } from './report-installation.ts'
import { serveBootFile } from './serve-boot-file.ts'

const bootChannel: Area = {
  name: 'Boot channel',
  description: 'What firmware and installers of operating systems ask for.',
  operations: [getBootScript, reportInstallation],
}

/** Mounts the channel. Its only credential is the token in the addresses that a boot script gives. */
export function mountBootChannel(
  app: FastifyInstance,
  parts: { db: Database; services: Services; authenticate: Authenticate },
): void {
  const { keys } = parts.services
  serveBootFile(app, parts.db, parts.services)
  mount(app, [bootChannel], {
    ...parts,
    authenticateMachine: async ({ params }) => readBootToken(keys, (params as { token: string }).token),
  })
}
