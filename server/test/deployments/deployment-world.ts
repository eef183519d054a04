import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Agents, Deployments, DistributionEvents, SetupErrors, Tasks, Work } from '../../src/database/tables.ts'
import type { Given } from '../world/given.ts'

type Computer = { id: number }
type Package = { id: string }

const isOpen = (state: string) => state === 'Due' || state === 'Leased'

/** Writes the rows that activations, requests and agents would leave. */
export function deploymentsIn(db: Database, given: Given) {
  async function task(columns: Partial<Insertable<Tasks>> = {}) {
    return db
      .insertInto('tasks')
      .values({ kind: 'Activation', ...columns })
      .returning(['id'])
      .executeTakeFirstOrThrow()
  }

  return {
    task,

    /** A computer in a group of its own to which the packages are assigned. */
    async assigned(...packages: Package[]) {
      const [group, computer] = [await given.group(), await given.computer()]
      await given.member(group, computer)
      for (const one of packages) await given.assignment(group, one, 'package')
      return { group, computer }
    },

    /** A computer in a group of its own whose agent template has these settings. */
    async scheduled(settings: object) {
      const [group, computer] = [await given.group(), await given.computer()]
      await given.member(group, computer)
      await given.assignment(group, await given.agentTemplate({ settings }), 'agentTemplate')
      return { group, computer }
    },

    /** A work item, by default Due and of a task of its own. */
    async work(computer: Computer, one: Package | null, columns: Partial<Insertable<Work>> = {}) {
      const { state = 'Due', kind = 'Install', task_id = (await task()).id } = columns
      return db
        .insertInto('work')
        .values({
          computer_id: computer.id,
          package_id: one?.id ?? null,
          kind,
          task_id,
          ...(state === 'Leased' && { attempt: 1, leased_until: new Date(Date.now() + 600_000) }),
          ...(!isOpen(state) && { closed_at: new Date() }),
          ...columns,
        })
        .returning(['id', 'task_id'])
        .executeTakeFirstOrThrow()
    },

    async deployment(computer: Computer, one: Package, columns: Partial<Insertable<Deployments>> = {}) {
      await db
        .insertInto('deployments')
        .values({ computer_id: computer.id, package_id: one.id, ...columns })
        .execute()
    },

    /** The agent of a computer: enrolled, but without a contact. */
    async agent(computer: Computer, columns: Partial<Insertable<Agents>> = {}) {
      await db
        .insertInto('agents')
        .values({
          computer_id: computer.id,
          secret_hash: randomBytes(32),
          enrolment_key_hash: randomBytes(32),
          ...columns,
        })
        .execute()
    },

    async contact(computer: Computer, at: Date) {
      await db
        .insertInto('computer_contacts')
        .values({ computer_id: computer.id, last_seen_at: at })
        .onConflict((conflict) => conflict.column('computer_id').doUpdateSet({ last_seen_at: at }))
        .execute()
    },

    async event(computer: Computer, one: Package | null, columns: Partial<Insertable<DistributionEvents>> = {}) {
      return db
        .insertInto('distribution_events')
        .values({
          computer_id: computer.id,
          package_id: one?.id ?? null,
          result: 'Success',
          classification: 'Report',
          ...columns,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    },

    async setupError(computer: Computer, one: Package, columns: Partial<Insertable<SetupErrors>> = {}) {
      await db
        .insertInto('setup_errors')
        .values({
          computer_id: computer.id,
          package_id: one.id,
          work_id: 1,
          attempt: 1,
          output: 'It failed.',
          ...columns,
        })
        .execute()
    },

    /** The work of a computer, oldest first. */
    async workOf(computer: Computer) {
      const { rows } = await sql<{
        kind: string
        state: string
        package_id: string | null
        task_id: string
        commands: number
        schedule: string
        power_action: string | null
        timeout_minutes: number | null
        reminder_minutes: number | null
      }>`
        select kind, state, package_id, task_id, commands, schedule, power_action, timeout_minutes, reminder_minutes
        from work where computer_id = ${computer.id} order by id`.execute(db)
      return rows
    },

    /** The events of a computer, oldest first, in short: result, classification and mode. */
    async eventsOf(computer: Computer) {
      const { rows } = await sql<{ event: string }>`
        select concat_ws(' ', result, classification, install_mode) as event
        from distribution_events where computer_id = ${computer.id} order by id`.execute(db)
      return rows.map(({ event }) => event)
    },
  }
}
