import { sql } from 'kysely'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { listPatchesToFix } from '../../src/features/patches/released-patches.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import { openWorld } from '../world/open-world.ts'

/** The service, with helpers for patches and fix work. */
export async function openPatchWorld(configuration: Partial<Configuration> = {}) {
  const world = await openWorld({ configuration })
  const { as, db, given } = world

  return {
    ...world,

    /** A group with a fix package and computers. */
    async fleet({ computers: count = 2 } = {}) {
      const group = await given.group()
      const fix = await given.package({ kind: 'PatchFix', is_operational: true })
      await given.assignment(group, fix, 'package')
      const members = []
      for (let position = 0; position < count; position++) {
        const computer = await given.computer()
        await given.member(group, computer)
        members.push(computer)
      }
      const [computer, other] = members
      if (!computer || !other) throw new Error('A fleet has at least two computers.')
      return { group, fix, computers: members, computer, other }
    },

    /** A patch with one product, and how scans report it. */
    async scannablePatch(columns: Parameters<typeof given.patch>[0] = {}) {
      const product = await given.product()
      const patch = await given.patch({ products: [product], ...columns })
      const reported = (status: 'Missing' | 'Installed') => ({ key: patch.key, product: product.name, status })
      return { ...patch, product, missing: reported('Missing'), installed: reported('Installed') }
    },

    /** The open work items of the computer; no operation shows their schedules. */
    async listOpenWork(computer: { id: number }) {
      const { rows } = await sql<{ package_id: string; kind: string; schedule: string; window_ends_at: Date | null }>`
        select package_id, kind, schedule, window_ends_at from work
        where computer_id = ${computer.id} and state in ('Due', 'Leased') order by id`.execute(db)
      return rows
    },

    /** Makes work of a package in a group wait for Saturday night. */
    async scheduleOnSaturdays(group: { id: string }, { id: packageId }: { id: string }) {
      await as('group.write').call(setDistributionOptions, {
        params: { id: group.id },
        query: { packageId },
        body: { commands: ['Install'], scheduleString: 'CRON=0 22 * * SAT;TZ=UTC;DURATION=180' },
      })
    },

    /** The ids of the patches that fix work would install now. */
    async listPatchIdsToFix(computer: { id: number }) {
      return (await listPatchesToFix(db, computer.id)).map(({ patchId }) => patchId)
    },
  }
}
