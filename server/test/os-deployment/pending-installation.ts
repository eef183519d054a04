import type { Scenario } from '../world/scenario.ts'

type World = Pick<Parameters<Scenario>[0], 'db' | 'given'>

/** The rows of an installation that waits for its computer to boot. Returns the id of its work. */
export async function insertInstallation(
  { db, given }: World,
  { id: computer_id }: { id: number },
  group?: { id: string },
): Promise<number> {
  await db
    .insertInto('activations')
    .values({ computer_id, group_id: group?.id ?? null, pxe: true })
    .execute()
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
  return work.id
}

/** The rows of an installation that its installer has reported as a success, and that nobody has confirmed. */
export async function insertReportedInstallation(world: World, computer: { id: number }): Promise<void> {
  const address = '192.0.2.9'
  const report = { reported_at: new Date(), reported_from: address, status: 'Success', language_packs: [] }
  await world.db
    .insertInto('boot_grants')
    .values({ computer_id: computer.id, work_id: await insertInstallation(world, computer), address, ...report })
    .execute()
}
