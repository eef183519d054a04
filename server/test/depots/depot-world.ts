import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { listWantedPackages } from '../../src/channels/depot/list-wanted-packages.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { listSyncJobs } from '../../src/features/depots/api/synchronisation/list-sync-jobs.ts'
import { openWorld } from '../world/open-world.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

/** A world with a package store and with depots that have credentials. */
export async function openDepotWorld() {
  const store = await openTemporaryFolder()
  afterAll(() => rm(store, { recursive: true }))
  const world = await openWorld({ configuration: { packageStore: store } })
  const { as, db, given, withToken } = world

  /** A depot server with a credential, and the calls it makes. */
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

  /** Moves the last heartbeat of the depot into the past. */
  async function backdateHeartbeat({ id }: { id: number }, seconds: number): Promise<void> {
    await sql`
      update depots set heartbeat_at = heartbeat_at - make_interval(secs => ${seconds}) where computer_id = ${id}`.execute(
      db,
    )
  }

  /** Takes the role of a depot server from the computer, which the API does only for the whole catalog. */
  async function demoteDepot({ id }: { id: number }): Promise<void> {
    await db.updateTable('computers').set({ role: 'Client' }).where('id', '=', id).execute()
  }

  return { ...world, store, depot, backdateHeartbeat, demoteDepot }
}
