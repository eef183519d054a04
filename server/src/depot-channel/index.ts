import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Authenticate } from '../platform/authentication/authenticate.ts'
import { mount } from '../platform/mount.ts'
import type { Area } from '../platform/operation.ts'
import type { Services } from '../platform/services.ts'
import { depotAuthenticator } from './authenticate-depot.ts'
import { beginSync } from './begin-sync.ts'
import { endSync } from './end-sync.ts'
import { listWantedFiles } from './list-wanted-files.ts'
import { listWantedPackages } from './list-wanted-packages.ts'
import { reportHeartbeat } from './report-heartbeat.ts'
import { serveWantedFile } from './serve-wanted-file.ts'

const depotChannel: Area = {
  name: 'Depot channel',
  description: 'How depots get their packages from the master server.',
  operations: [reportHeartbeat, beginSync, endSync, listWantedPackages, listWantedFiles],
}

/** Mounts the channel. It takes credentials of depots only, and those are of no use anywhere else. */
export function mountDepotChannel(
  app: FastifyInstance,
  parts: { db: Database; services: Services; authenticate: Authenticate },
): void {
  const { db, services } = parts
  const authenticateMachine = depotAuthenticator(db, services.keys)
  mount(app, [depotChannel], { ...parts, authenticateMachine })
  serveWantedFile(app, db, services.configuration.packageStore, authenticateMachine)
}
