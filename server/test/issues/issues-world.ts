import { sql } from 'kysely'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openWorld } from '../world/open-world.ts'
import {
  isSecurityPatch,
  type PlannedAgent,
  type PlannedComputer,
  type PlannedDeployment,
  since,
} from './fleet-model.ts'

type Computer = { id: number }

const patchCount = 6

/** Contact intervals of templates, in hours, that make agents stale later than after a day. */
export const slowIntervals = [48, 168] as const

/** The service, with helpers that give computers drives, batteries, agents and deployments. */
export async function openIssuesWorld() {
  const world = await openWorld()
  const { db, given } = world
  const deployments = deploymentsIn(db, given)

  async function disk(
    computer: Computer,
    columns: { free: number | null; total?: number | null; type?: number } & Disk,
  ) {
    const { free, total = 100, type = 3, position = 0, state = 'Encrypted' } = columns
    await sql`
      insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
      values (${computer.id}, ${position}, ${`volume ${position}`}, ${type}, ${total}, ${free}, ${state})`.execute(db)
  }

  async function battery(computer: Computer, { designed, full, position = 0 }: Battery) {
    await sql`
      insert into batteries (computer_id, position, designed_capacity_mwh, full_charged_capacity_mwh)
      values (${computer.id}, ${position}, ${designed}, ${full})`.execute(db)
  }

  return { ...world, ...deployments, disk, battery }
}

type Disk = { position?: number; state?: string }
type Battery = { designed: number | null; full: number | null; position?: number }

export type IssuesWorld = Awaited<ReturnType<typeof openIssuesWorld>>

/** Makes fleets of planned computers that share the same packages, patches and group. */
export async function openFleetMaker(world: IssuesWorld) {
  const { db, given } = world
  const group = await given.group()
  const packages = [await given.package(), await given.package(), await given.package()]
  const slowGroups = new Map<number, { id: string }>()
  for (const hours of slowIntervals) {
    const slow = await given.group({ tree: 'AssignmentGroups' })
    const template = await given.agentTemplate({ settings: { contactIntervalMinutes: hours * 60 } })
    await given.assignment(slow, template, 'agentTemplate')
    slowGroups.set(hours, slow)
  }
  const product = await given.product()
  const catalog: { key: string }[] = []
  for (let position = 0; position < patchCount; position++)
    catalog.push(
      await given.patch({
        products: [product],
        patch_type: isSecurityPatch(position) ? 'SecurityPatch' : 'NonSecurityPatch',
      }),
    )

  async function agent(computer: Computer, { reboot, suspension }: PlannedAgent) {
    const { hoursLeft = null } = suspension ?? {}
    await world.agent(computer, {
      is_reboot_required: reboot,
      suspension_mode: suspension ? 'Suspended' : null,
      suspended_until: hoursLeft === null ? null : since(-hoursLeft),
    })
  }

  async function deployment(computer: Computer, one: { id: string }, { state, pendingHours, work }: PlannedDeployment) {
    const isPending = state === 'Pending'
    await world.deployment(computer, one, {
      result: isPending ? null : state,
      pending_since: isPending ? since(pendingHours) : null,
      failed_at: state === 'Failed' ? since(1) : null,
    })
    if (!isPending || work === 'none') return
    if (work === 'started') await world.work(computer, one, { state: 'Leased' })
    else await world.work(computer, one, work === 'later' ? { not_before: since(-1) } : {})
  }

  return {
    group,
    /** Replaces all computers. */
    async makeFleet(planned: readonly PlannedComputer[]): Promise<Computer[]> {
      await db.deleteFrom('computers').execute()
      const fleet: Computer[] = []
      for (const one of planned) {
        const computer = await given.computer({
          domain: one.domain,
          os_name: one.isWindows ? 'Windows 11' : 'Debian GNU/Linux',
          ...(one.seenHours !== null && { lastSeen: since(one.seenHours) }),
          created_at: since(one.createdDays * 24),
          ...(one.inventoryDays !== null && { inventory_at: since(one.inventoryDays * 24) }),
        })
        if (one.isMember) await given.member(group, computer)
        const slowGroup = slowGroups.get(one.intervalHours)
        if (slowGroup) await given.member(slowGroup, computer)
        if (one.agent) await agent(computer, one.agent)
        for (const [position, { total, free, type, state }] of one.disks.entries())
          await world.disk(computer, { position, total, free, type, state })
        for (const [position, { designed, full }] of one.batteries.entries())
          await world.battery(computer, { position, designed, full })
        for (const [at, planned] of one.deployments.entries()) {
          const software = packages[at]
          if (software) await deployment(computer, software, planned)
        }
        const missing = catalog.filter((_, position) => one.missing.includes(position))
        await given.patchScan(
          computer,
          missing.map(({ key }) => ({ key, product: product.name, status: 'Missing' })),
        )
        fleet.push(computer)
      }
      return fleet
    },
  }
}
