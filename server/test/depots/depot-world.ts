import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { listWantedPackages } from '../../src/channels/depot/list-wanted-packages.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { listSyncJobs } from '../../src/features/depots/api/synchronisation/list-sync-jobs.ts'
import { openWorld } from '../world/open-world.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

/** A world with a package store, in which there can be depots with credentials. */
export async function openDepotWorld() {
  const store = await openTemporaryFolder()
  afterAll(() => rm(store, { recursive: true }))
  const world = await openWorld({ configuration: { packageStore: store } })
  const { as, given, withToken } = world

  async function depot() {
    const { id } = await given.computer({ role: 'DepotServer' })
    const created = await as('admin.manage').call(createDepotCredential, { params: { clientId: id } })
    const { credential } = created.body
    const itself = withToken(credential)
    return {
      id,
      credential,
      itself,
      wanted: async () => (await itself.call(listWantedPackages)).body.map((one) => one.id),
      async jobs() {
        const { items } = (await as('computer.read').call(listSyncJobs, { query: { top: 1000 } })).body
        return items.filter(({ clientId }) => clientId === id)
      },
    }
  }

  return { ...world, store, depot }
}
