import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import type { Assignments } from '../assignments/assignment-world.ts'
import { carryOut, plans } from '../assignments/assignment-world.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import { ActivationModel, type Deployed, membershipsInScope, type Target } from './activation-model.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')

const at = fc.nat({ max: 1000 })
const few = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength, size: 'max' })

const optionPlan = fc.record({
  group: at,
  package: fc.option(at),
  commands: fc.constantFrom(1, 2, 3, 4, 8, 17, 67, 36),
})

const deploymentPlans = fc.record({
  assignments: plans,
  options: few(optionPlan, 8),
  states: few(
    fc.record({
      computer: at,
      package: at,
      installation: fc.constantFrom('None', 'Installed', 'Installed', 'NotInstalled', 'Uninstalled'),
      isChanged: fc.boolean(),
    }),
    6,
  ),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom('activate', 'activate', 'deactivate', 'options'),
      target: fc.oneof(fc.record({ computer: at }), fc.record({ group: at })),
      isGlobal: fc.boolean(),
      option: optionPlan,
    }),
    { minLength: 1, maxLength: 6 },
  ),
})

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

const packagesOf = ({ objects }: Assignments) =>
  objects.filter(({ kind }) => kind === 'package').map(({ id }) => `${id}`)

async function setOptions(deployed: Deployed, plan: { group: number; package: number | null; commands: number }) {
  const { world, options } = deployed
  const group = pick(world.groups, plan.group).id
  const planned = plan.package === null ? null : pick(packagesOf(world), plan.package)
  // Only a package that is assigned to the group has options of its own there.
  const isAssigned = world.assignments.some((one) => one.group === group && one.object.id === planned)
  const found = { group, package: isAssigned ? planned : null, commands: plan.commands }
  deployed.options = [found, ...options.filter((one) => one.group !== group || one.package !== found.package)]
  await db
    .insertInto('distribution_options')
    .values({ group_id: group, package_id: found.package, dist_commands: plan.commands })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'package_id']).doUpdateSet({ dist_commands: plan.commands }),
    )
    .execute()
}

type Plan = typeof deploymentPlans extends fc.Arbitrary<infer T> ? T : never

async function deploy(plan: Plan): Promise<Deployed> {
  const world = await carryOut(db, given, plan.assignments)
  const packages = packagesOf(world)
  const versions = packages.slice(0, 2)
  for (const [n, id] of versions.entries())
    await db
      .updateTable('packages')
      .set({ package_name: 'twin', version: `${n}` })
      .where('id', '=', id)
      .execute()
  const planned = plan.states.map((state) => ({
    ...state,
    computer: pick(world.computers, state.computer),
    package: pick(packages, state.package),
  }))
  // The content hash of every package is the text 'false', which differs from that of a changed one.
  await sql`update packages set content_hash = 'false' where id = any(${packages}::uuid[])`.execute(db)
  const states = [...new Map(planned.map((state) => [`${state.computer} ${state.package}`, state])).values()]
  for (const { computer, package: id, installation, isChanged } of states)
    await sql`
      insert into deployments (computer_id, package_id, result, installation_state, installed_hash)
      select ${computer}, id, 'Success', ${installation}, ${isChanged}::boolean::text::bytea from packages where id = ${id}`.execute(
      db,
    )
  const deployed: Deployed = { world, options: [], states, versions }
  for (const one of plan.options) await setOptions(deployed, one)
  return deployed
}

async function openWork(): Promise<string[]> {
  const rows = await db
    .selectFrom('work')
    .select(['computer_id', 'package_id', 'kind', 'commands'])
    .where('closed_at', 'is', null)
    .execute()
  return rows.map((row) => `${row.computer_id} ${row.package_id} ${row.kind} ${row.commands}`).toSorted()
}

async function request(kind: 'activate' | 'deactivate', target: Target, global: boolean): Promise<void> {
  const query = { software: true, global }
  const { status } = await ('computer' in target
    ? kind === 'activate'
      ? operator.call(activateComputer, { params: { id: target.computer }, body: query })
      : operator.call(deactivateComputer, { params: { id: target.computer }, query })
    : kind === 'activate'
      ? operator.call(activateGroup, { params: { id: target.group }, body: query })
      : operator.call(deactivateGroup, { params: { id: target.group }, query }))
  expect(kind === 'activate' ? [200] : [200, 409]).toContain(status)
}

test('the waiting work follows the rules for any group trees, assignments, options and states', async () => {
  await fc.assert(
    fc.asyncProperty(deploymentPlans, async (plan) => {
      const deployed = await deploy(plan)
      const { world } = deployed
      const model = new ActivationModel(deployed)

      for (const step of plan.steps) {
        if (step.kind === 'options') {
          await setOptions(deployed, step.option)
          continue
        }
        const target: Target =
          'computer' in step.target
            ? { computer: pick(world.computers, step.target.computer) }
            : { group: pick(world.groups, step.target.group).id }
        await request(step.kind, target, step.isGlobal)
        model[step.kind](membershipsInScope(world, target, step.isGlobal))
        expect(await openWork()).toEqual(model.texts())
        if (step.kind === 'activate') await request('activate', target, step.isGlobal)
        expect(await openWork()).toEqual(model.texts())
      }

      for (const { id } of world.groups.filter(({ kind }) => kind === 'System'))
        await request('deactivate', { group: id }, true)
      expect(await openWork()).toEqual([])
    }),
    { numRuns: modelRuns(4) },
  )
}, 600_000)
