import { sql } from 'kysely'
import { listPatchesToFix } from '../../src/features/patches/missing-patches.ts'
import { openWorld } from '../world/open-world.ts'

/** The service with what is about patches, and with words for what tests ask again and again. */
export async function openPatchWorld() {
  const world = await openWorld()
  const { db, given } = world

  return {
    ...world,

    /** A group with a fix package, and computers in it. */
    async fleet({ computers: count = 2 } = {}) {
      const group = await given.group()
      const fix = await given.package({ kind: 'PatchFix', is_operational: true })
      await given.assignment(group, fix, 'package')
      const members = []
      for (let made = 0; made < count; made++) {
        const computer = await given.computer()
        await given.member(group, computer)
        members.push(computer)
      }
      const [computer, other] = members
      if (!computer || !other) throw new Error('A fleet has two computers at least.')
      return { group, fix, computers: members, computer, other }
    },

    /** A patch with its product, as scans name it. */
    async scannable(columns: Parameters<typeof given.patch>[0] = {}) {
      const product = await given.product()
      const patch = await given.patch({ products: [product], ...columns })
      const as = (status: 'Missing' | 'Installed') => ({ key: patch.key, product: product.name, status })
      return { ...patch, product, missing: as('Missing'), installed: as('Installed') }
    },

    /** The open work of the computer, as `kind of package`. */
    async openWork(computer: { id: number }) {
      const { rows } = await sql<{ package_id: string; kind: string; schedule: string; window_ends_at: Date | null }>`
        select package_id, kind, schedule, window_ends_at from work
        where computer_id = ${computer.id} and state in ('Due', 'Leased') order by id`.execute(db)
      return rows
    },

    /** The ids of the patches that an agent would be handed. */
    async toFix(computer: { id: number }) {
      return (await listPatchesToFix(db, computer.id)).map(({ patchId }) => patchId)
    },
  }
}
