import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { apiOf } from '../api.ts'
import { startNode } from '../nodes.ts'
import { growPatches } from '../patch-fleet.ts'
import { type BenchService, withService } from '../service.ts'
import { formatPhase, reportContacts, startBeside } from './beside.ts'
import { bulkWrites } from './bulk-writes.ts'
import { prepareRollout, type RolloutFleet } from './prepare.ts'
import { bulkFleet, postgresSettings, workers } from './settings.ts'

const secondsBefore = 10
/** What a bulk write leaves is felt after it, too. */
const secondsAfter = 5

/** Contacts of agents while others write much at once, and right after it. */
export async function benchBulk(): Promise<void> {
  await withService(measureBulkWrites, {}, postgresSettings)
}

async function measureBulkWrites({ app, database, headers }: BenchService): Promise<void> {
  const { db } = database
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const packageStore = join(folder, 'packages')
  const fleet = await prepareRollout(db, app.services.keys, bulkFleet)
  await growPatches(db)
  await assignScanAndFix(db, fleet)
  const node = await startNode(database.url, { MUSTER_WORKERS: workers, MUSTER_PACKAGE_STORE: packageStore })
  const beside = await startBeside({ node, headers, credentials: fleet.others, folder })
  try {
    await sleep(5_000)
    await beside.skip()
    await sleep(secondsBefore * 1_000)
    await beside.endPhase('before')
    for (const [name, write] of Object.entries(bulkWrites)) {
      await write({ api: apiOf(node.address, headers), db, fleet, packageStore })
      await sleep(secondsAfter * 1_000)
      console.log(formatPhase(await beside.endPhase(name)))
    }
  } finally {
    await beside.stop()
    await node.stop()
    await rm(folder, { recursive: true })
  }
  console.log(`\n${bulkFleet} computers`)
  console.table(beside.phases.map(formatPhase))
  reportContacts(beside.phases)
}

/** The packages with which computers scan themselves and install patches. */
async function assignScanAndFix(db: Database, { groupId }: RolloutFleet): Promise<void> {
  await sql`
    with made as (
      insert into packages (name, package_name, version, kind, is_operational, hash_state, content_hash, manifest)
      select kind, kind, '1.0', kind, true, 'Current', ${randomBytes(32)}, '{"commands": {"install": {"shell": "true"}}}'
      from unnest(array['InventoryScan', 'PatchScan', 'PatchFix']) as kind
      returning id
    )
    insert into group_packages (group_id, package_id) select ${groupId}::uuid, id from made`.execute(db)
}
