import { expect, test } from 'vitest'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { explainGroup } from '../../src/features/explain/api/explain-group.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'

const { agent, as, db, given, readyPackage, work } = await openAgentWorld()
const { deployment } = deploymentsIn(db, given)
const reader = as('computer.read', 'group.read', 'package.read')

let count = 0

/** A computer to which two packages are assigned, of which the first conflicts with the second. */
async function computerWithConflict() {
  const package_name = `opponent-${++count}`
  const firstName = `first-${count}`
  // Work is created in the order of names.
  const first = await readyPackage({
    name: `a${count}`,
    package_name: firstName,
    conflicts: [package_name.toUpperCase()],
  })
  const second = await readyPackage({ name: `b${count}`, package_name })
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  for (const software of [first, second]) await given.assignment(group, software, 'package')
  const params = { id: computer.id }
  return {
    ...computer,
    group,
    first,
    firstName,
    second,
    activate: () => as('activation.execute').call(activateComputer, { params, body: { software: true } }),
    explain: async ({ id }: { id: string }) =>
      (await reader.call(explainComputer, { params, query: { packageId: id } })).body,
    leased: async () => (await computer.contact()).body.work,
  }
}

test('of two assigned packages that conflict, the later waits with a reason, and goes on waiting', async () => {
  const computer = await computerWithConflict()
  await computer.activate()

  const [item, ...others] = await computer.leased()
  expect({ packageId: item?.package?.packageId, others }).toEqual({ packageId: computer.first.id, others: [] })
  await computer.report(item?.workId ?? 0)

  for (let times = 0; times < 2; times++) {
    await computer.activate()
    expect(await computer.leased()).toEqual([])
  }
  expect(await computer.explain(computer.second)).toMatchObject({
    verdict: 'Waiting',
    blockers: [{ reason: 'ConflictingPackage', packages: [computer.firstName] }],
  })
  const ofGroup = await reader.call(explainGroup, {
    params: { id: computer.group.id },
    query: { packageId: computer.second.id },
  })
  expect(JSON.stringify(ofGroup.body)).toContain('ConflictingPackage')
})

test('a package is handed out once the one that it conflicts with is uninstalled', async () => {
  const computer = await computerWithConflict()
  const earlier = await work(computer, computer.second)
  await computer.contact()
  await computer.report(earlier)
  const [later, removal] = [
    await work(computer, computer.first),
    await work(computer, computer.second, { kind: 'Uninstall' }),
  ]

  const first = await computer.leased()
  await computer.report(removal)

  expect(first.map(({ workId }) => workId)).toEqual([removal])
  expect((await computer.leased()).map(({ workId }) => workId)).toEqual([later])
})

test('an explanation says that two installed packages conflict', async () => {
  const computer = await computerWithConflict()
  await deployment(computer, computer.first, { installation_state: 'Installed' })
  await deployment(computer, computer.second, { installation_state: 'Installed' })

  for (const [subject, other] of [
    [computer.first, computer.second],
    [computer.second, computer.first],
  ] as const)
    expect((await computer.explain(subject)).notices).toContainEqual({
      reason: 'ConflictInstalled',
      message: `${other.name} 1.0 is installed as well, and the two conflict. Uninstall one of them.`,
    })
})
