import { type Insertable, sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Deployments, DistributionOptions } from '../../src/database/tables.ts'
import { type DistributionCommand, toCommandMask } from '../../src/features/distribution/commands.ts'
import type { Given } from '../world/given.ts'

type Some = { id: string }
type Computer = { id: number }

/** Reads and prepares the state of deployments where no operation does. */
export function deploymentStateIn(db: Database, given: Given) {
  return {
    /** The open work items of a computer, oldest first. */
    openWork: (computer: Computer) =>
      db
        .selectFrom('work')
        .selectAll()
        .where('computer_id', '=', computer.id)
        .where('closed_at', 'is', null)
        .orderBy('id')
        .execute(),

    events: (computer: Computer) =>
      db
        .selectFrom('distribution_events')
        .select(['package_id', 'result', 'classification', 'install_mode'])
        .where('computer_id', '=', computer.id)
        .orderBy('id')
        .execute(),

    activations: (computer: Computer) =>
      db
        .selectFrom('activations')
        .select(['group_id', 'software', 'pxe', 'pull'])
        .where('computer_id', '=', computer.id)
        .orderBy('group_id')
        .execute(),

    wakeRequests: (computer: Computer) =>
      db.selectFrom('wake_requests').select(['wake_at', 'sent_at']).where('computer_id', '=', computer.id).execute(),

    deployment: (computer: Computer, of: Some) =>
      db
        .selectFrom('deployments')
        .selectAll()
        .where('computer_id', '=', computer.id)
        .where('package_id', '=', of.id)
        .executeTakeFirst(),

    async installed(computer: Computer, of: Some, columns: Partial<Insertable<Deployments>> = {}) {
      await db
        .insertInto('deployments')
        .values({
          computer_id: computer.id,
          package_id: of.id,
          result: 'Success',
          installation_state: 'Installed',
          ...columns,
        })
        .execute()
    },

    async options(
      group: Some,
      of: Some | null,
      commands: readonly DistributionCommand[],
      columns: Partial<Insertable<DistributionOptions>> = {},
    ) {
      const values = { dist_commands: toCommandMask(commands), ...columns }
      await db
        .insertInto('distribution_options')
        .values({ group_id: group.id, package_id: of?.id ?? null, ...values })
        .onConflict((conflict) => conflict.columns(['group_id', 'package_id']).doUpdateSet(values))
        .execute()
    },

    /** Leases the work item as the agent of the computer would. */
    async lease(id: number) {
      await db
        .updateTable('work')
        .set({ state: 'Leased', attempt: 1, leased_until: sql<Date>`now() + interval '1 hour'` })
        .where('id', '=', id)
        .execute()
    },

    /** A computer in a group to which packages are assigned. */
    async member(count = 1) {
      const [computer, group] = [await given.computer(), await given.group()]
      await given.member(group, computer)
      const packages = []
      for (let n = 0; n < count; n++) {
        packages.push(await given.package())
        await given.assignment(group, packages[n] as Some, 'package')
      }
      return { computer, group, packages, software: packages[0] as Some, params: { id: computer.id } }
    },
  }
}
