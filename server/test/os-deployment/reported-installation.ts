import type { Scenario } from '../world/scenario.ts'

type World = Pick<Parameters<Scenario>[0], 'db' | 'given'>

/** The rows of an installation that its installer has reported as a success, and that nobody has confirmed. */
export async function insertReportedInstallation({ db, given }: World, computer: { id: number }): Promise<void> {
  const computer_id = computer.id
  await db.insertInto('activations').values({ computer_id, pxe: true }).execute()
  const task = await db
    .insertInto('tasks')
    .values({ kind: 'Activation', computer_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: package_id } = await given.osImage()
  const work = await db
    .insertInto('work')
    .values({ computer_id, package_id, task_id: task.id, kind: 'OperatingSystem', commands: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const address = '192.0.2.9'
  const report = { reported_at: new Date(), reported_from: address, status: 'Success', language_packs: [] }
  await db
    .insertInto('boot_grants')
    .values({ computer_id, work_id: work.id, address, ...report })
    .execute()
}
