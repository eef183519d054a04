import { sql } from 'kysely'
import { expect } from 'vitest'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

export const activation = { software: true, pxe: true, pull: true, srl: { action: 'Reboot' as const } }

/** A world in which every step locks several rows. */
export async function openLockWorld() {
  const world = await openAgentWorld()
  const { agent, as, db, given, readyPackage } = world
  const operator = as('activation.execute', 'reinstall.execute')

  /**
   * Two agents in a group and each also in a group of its own below another so that every step locks several rows. The
   * rows are stored in an order other than that of their keys, because a statement without an order often follows the file.
   */
  async function fleet() {
    const [group, above] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
    const image = await given.pxeBootImage()
    await given.assignment(group, image, 'pxeBootImage')
    const required = await readyPackage()
    const packages = [required]
    for (let n = 0; n < 2; n++) packages.push(await readyPackage({ requires: [required.name] }))
    const agents = [await agent(), await agent()]
    for (const one of packages) await given.assignment(group, one, 'package')
    for (const one of agents.toReversed()) {
      const own = await given.group({ tree: 'AssignmentGroups', parent: above })
      await given.assignment(own, await readyPackage(), 'package')
      for (const joined of [own, group]) await given.member(joined, one)
    }
    return { group, above, packages, required, agents }
  }

  type Fleet = Awaited<ReturnType<typeof fleet>>

  const activated = async () => {
    const made = await fleet()
    await operator.call(activateGroup, { params: { id: made.group.id }, body: activation })
    const own = sql.raw(`computer_id in (${made.agents.map(({ id }) => id).join()})`)
    // Rewrites the rows from the last to the first.
    await sql`
      do $$ declare item record; begin
        for item in select id from work where ${own} order by computer_id desc, package_id desc, id desc loop
          update work set progress = progress where id = item.id;
        end loop;
        for item in select id from activations where ${own} order by computer_id desc, group_id desc loop
          update activations set activated_at = activated_at where id = item.id;
        end loop;
      end $$`.execute(db)
    return made
  }

  const first = ({ agents: [one] }: Fleet) => one ?? expect.fail('The fleet has no agent.')

  /** An agent that has leased the work of a package. */
  async function leased() {
    const made = await activated()
    const one = first(made)
    const { work } = (await one.contact()).body
    const item =
      work.find((leased) => leased.package?.packageId === made.required.id) ?? expect.fail('No work is leased.')
    return { ...made, one, item }
  }

  async function reinstalled() {
    const made = await activated()
    const params = { id: first(made).id }
    const { body } = await operator.call(requestSoftwareReinstall, { params, body: { packageId: made.required.id } })
    return { ...made, one: first(made), params, reinstallGroupId: body.reinstallGroupId }
  }

  return { ...world, activated, first, leased, reinstalled }
}
