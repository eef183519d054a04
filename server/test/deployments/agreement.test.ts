import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getUemAgent } from '../../src/features/agents/api/get-uem-agent.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { getOsDeploymentReadiness } from '../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import { membersBelow } from '../assignments/assignment-model.ts'
import { type Assignments, carryOut, plans } from '../assignments/assignment-world.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import { at, many, pick } from '../world/random-groups.ts'
import { deploymentStateIn } from './deployment-state.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const state = deploymentStateIn(db, given)
const world = deploymentsIn(db, given)
const runs = { numRuns: modelRuns(3) }

const packagesOf = ({ objects }: Assignments, ...kinds: string[]) => [
  ...new Set(objects.filter(({ kind }) => kinds.includes(kind)).flatMap(({ packages }) => packages)),
]

/** The memberships that bring assignments to computers: all but those in Reinstall groups. */
const countedMemberships = ({ memberships, groups }: Assignments) =>
  memberships.filter(({ group }) => groups.find(({ id }) => id === group)?.kind !== 'Reinstall')

async function deviceStatuses(packageId: string, query: { groupId?: string } = {}) {
  const read = { params: { id: packageId }, query: { top: 1000, ...query } }
  const { devices, total, pending, success, failed } = (await as('package.read').call(getPackageStatus, read)).body
  const having = (status: string) => devices.items.filter((device) => device.status === status).length
  expect({ total, pending, success, failed }).toEqual({
    total: devices.items.length,
    pending: having('Pending'),
    success: having('Success'),
    failed: having('Failed'),
  })
  return new Map(devices.items.map(({ id, status }) => [id, status]))
}

const results = many(fc.record({ computer: at, package: at, result: fc.constantFrom('Success', 'Failed', null) }), 12)

test('the counts of a package, its devices and the view of each computer agree', async () => {
  await fc.assert(
    fc.asyncProperty(plans, results, at, async (plan, planned, below) => {
      const fleet = await carryOut(db, given, plan)
      const packages = packagesOf(fleet, 'package', 'softwareClass')
      for (const { computer, package: one, result } of planned)
        await sql`
          insert into deployments (computer_id, package_id, result, installation_state)
          values (${pick(fleet.computers, computer)}, ${pick(packages, one)}, ${result}, 'None')
          on conflict do nothing`.execute(db)

      const group = pick(fleet.groups, below)
      const inside = membersBelow(fleet, group.id)
      const views = new Map<number, { softwareId: string; status: string }[]>()
      for (const id of fleet.computers)
        views.set(id, (await as('computer.read').call(listSoftwareDeployments, { params: { id } })).body)
      for (const packageId of packages) {
        const statuses = await deviceStatuses(packageId)
        const ofGroup = await deviceStatuses(packageId, { groupId: group.id })
        expect([...ofGroup.keys()]).toEqual([...statuses.keys()].filter((id) => inside.has(id)))
        for (const [id, status] of statuses)
          expect(views.get(id)?.find(({ softwareId }) => softwareId === packageId)?.status).toBe(status)
      }
    }),
    runs,
  )
}, 300_000)

test('a template is a success exactly on the computers whose agent is in sync with it', async () => {
  await fc.assert(
    fc.asyncProperty(plans, many(fc.boolean(), 3), async (plan, inSync) => {
      const fleet = await carryOut(db, given, plan)
      const agents = new Map<number, { templateId: string | null; outOfSync: boolean | null }>()
      for (const [index, id] of fleet.computers.entries()) {
        const read = async () => (await as('computer.read').call(getUemAgent, { params: { id } })).body
        const { settingsHash } = (await read()).desiredState
        await world.agent({ id }, { settings_hash: inSync[index] ? settingsHash : null })
        const { desiredState, outOfSync } = await read()
        agents.set(id, { templateId: desiredState.templateId, outOfSync })
      }

      for (const templateId of packagesOf(fleet, 'agentTemplate')) {
        const following = fleet.computers.filter((id) => agents.get(id)?.templateId === templateId)
        const expected = following.map((id) => [id, agents.get(id)?.outOfSync ? 'Pending' : 'Success'])
        expect([...(await deviceStatuses(templateId))]).toEqual(expected)
      }
    }),
    runs,
  )
}, 300_000)

test('an activation of a group for PXE counts what the readiness of its computers shows', async () => {
  await fc.assert(
    fc.asyncProperty(plans, many(at, 3), at, async (plan, unready, below) => {
      const fleet = await carryOut(db, given, plan)
      const images = packagesOf(fleet, 'osImageSku', 'pxeBootImage')
      const withheld = unready.map((index) => pick(images, index))
      await sql`update packages set is_operational = false where id = any(${withheld}::uuid[])`.execute(db)
      const withoutMac = await given.computer({ mac: null, uuid: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' })
      const group = pick(fleet.groups, below)
      if (group.kind !== 'Reinstall') await given.member(group, withoutMac)
      const members = membersBelow({ ...fleet, memberships: countedMemberships(fleet) }, group.id)
      const ids = [...members, ...(group.kind === 'Reinstall' ? [] : [withoutMac.id])]

      const missing: string[][] = []
      for (const id of ids)
        missing.push((await as('computer.read').call(getOsDeploymentReadiness, { params: { id } })).body.missing)
      const bootable = missing.filter((conditions) => !conditions.includes('PxeBootImage'))
      const isNotReady = (condition: string) => condition.endsWith('ReadyToInstall')
      const params = { id: group.id }
      const activated = await as('activation.execute').call(activateGroup, { params, body: { pxe: true } })

      if (ids.length > 0 && bootable.length === 0)
        expect(activated).toMatchObject({ status: 409, problem: 'NoPxeBootImageAssigned' })
      else
        expect(activated.body).toMatchObject({
          computerCount: ids.length,
          withoutPxeBootImage: ids.length - bootable.length,
          notReadyForPxe: bootable.filter((conditions) => conditions.some(isNotReady)).length,
          withoutMacAddress: missing.filter((conditions) => conditions.includes('MacAddress')).length,
        })
    }),
    runs,
  )
}, 300_000)

const options = many(fc.record({ group: at, package: fc.option(at, { freq: 1 }), revokeCount: fc.nat({ max: 9 }) }), 12)

test('the options that a group shows for a package are those that its computers use', async () => {
  await fc.assert(
    fc.asyncProperty(plans, options, async (plan, planned) => {
      const fleet = await carryOut(db, given, plan)
      const packages = packagesOf(fleet, 'package', 'softwareClass')
      // Options of a package that the group does not assign are refused.
      for (const { group, package: one, revokeCount } of planned)
        await as('group.write').call(setDistributionOptions, {
          params: { id: pick(fleet.groups, group).id },
          query: one === null ? {} : { packageId: pick(packages, one) },
          body: { commands: ['Install'], revokeCount },
        })

      for (const id of fleet.computers) {
        const groupId = countedMemberships(fleet).find(({ computer }) => computer === id)?.group
        if (!groupId) continue
        // Of several groups, each shows its own options, and the nearest assignment decides. One is left here.
        await sql`delete from group_computers where computer_id = ${id} and group_id <> ${groupId}`.execute(db)
        await as('activation.execute').call(activateComputer, { params: { id }, body: { software: true } })
        const used = new Map((await state.openWork({ id })).map((item) => [item.package_id, item.revoke_count]))
        for (const packageId of packages) {
          const read = { params: { id: groupId }, query: { packageId } }
          const shown = await as('group.read').call(getDistributionOptions, read)
          expect(used.get(packageId)).toBe(shown.status === 200 ? shown.body.revokeCount : undefined)
        }
      }
    }),
    runs,
  )
}, 300_000)
