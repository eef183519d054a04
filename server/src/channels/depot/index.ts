import type { FastifyInstance } from 'fastify'
import { type MountParts, mount } from '../../platform/mount.ts'
import { machineChannel } from '../../platform/openapi/channel.ts'
import { depotAuthenticator } from './authenticate-depot.ts'
import { beginSync } from './begin-sync.ts'
import { endSync } from './end-sync.ts'
import { getWantedFile } from './get-wanted-file.ts'
import { listWantedFiles } from './list-wanted-files.ts'
import { listWantedPackages } from './list-wanted-packages.ts'
import { reportHeartbeat } from './report-heartbeat.ts'

/**
 * The service's side of synchronisation: what a depot calls. The caller is the depot program (`depot-server`). What the
 * service knows about depots, and its API for administrators, is `features/depots`.
 */
export const depotChannel = machineChannel({
  address: '/openapi/depot-v1.json',
  title: 'Muster depot channel',
  summary: 'How depots synchronise packages with the master server',
  credential: 'The credential of a depot. An administrator creates it with `POST /api/depots/{clientId}/credential`.',
  sections: [
    {
      name: 'Depot channel',
      description: 'Heartbeats, synchronisation jobs and packages.',
      operations: [reportHeartbeat, beginSync, endSync, listWantedPackages, listWantedFiles, getWantedFile],
    },
  ],
})

/** Mounts the channel. It accepts only depot credentials, and no other channel accepts those. */
export function mountDepotChannel(app: FastifyInstance, parts: MountParts): void {
  const { lanes, services } = parts
  mount(
    app,
    depotChannel.sections.flatMap((section) => section.operations),
    { ...parts, lane: 'machines', authenticateMachine: depotAuthenticator(lanes.machines.db, services.keys) },
  )
}
