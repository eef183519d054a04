import { describe, expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { removeGroupLanguagePack } from '../../src/features/assignments/api/groups/remove-group-language-pack.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { removeGroupSoftwareClass } from '../../src/features/assignments/api/groups/remove-group-software-class.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { listDistributionHistory } from '../../src/features/deployments/api/history/list-distribution-history.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { setGroupRule } from '../../src/features/groups/api/set-group-rule.ts'
import { followRules } from '../../src/features/groups/rules/follow-rules.ts'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { listFailedDeploymentComputers } from '../../src/features/issues/api/list-failed-deployment-computers.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const world = await openAgentWorld()
const { as, db, given, agent, readyPackage } = world
const [operator, writer, reader] = [as('activation.execute'), as('group.write'), as('computer.read')]

/** An agent in a group below another one, with a package that only one of these groups assigns, and its work. */
async function activated({ through = 'package' }: { through?: 'package' | 'class' | 'parent' | 'languagePack' } = {}) {
  const computer = await agent()
  const parent = await given.group({ tree: 'AssignmentGroups' })
  const group = await given.group({ parent, name: `Tills ${parent.id}` })
  await given.member(group, computer)
  const software = await readyPackage(through === 'languagePack' ? { kind: 'LanguagePack' } : {})
  const softwareClass = await given.softwareClass({ packages: through === 'class' ? [software] : [] })
  if (through === 'class') await given.assignment(group, softwareClass, 'softwareClass')
  else if (through === 'languagePack') {
    await given.assignment(group, software, 'languagePack')
    await db.updateTable('computers').set({ platform: 'Windows' }).where('id', '=', computer.id).execute()
  } else await given.assignment(through === 'parent' ? parent : group, software, 'package')
  const params = { id: computer.id }
  const answer = await operator.call(activateComputer, { params, body: { software: true } })
  return { computer, parent, group, software, softwareClass, params, trackingId: answer.body.trackingId ?? '' }
}

type Activated = Awaited<ReturnType<typeof activated>>

const remove = ({ group, computer }: Activated) =>
  writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds: [computer.id] } })
const unassign = ({ group, software }: Activated) =>
  writer.call(removeGroupPackage, { params: { id: group.id, packageId: software.id } })

/** Everything that can end the justification of work, with the reason that is given for it. */
const endings: readonly {
  what: string
  reason: string
  through?: 'class' | 'parent' | 'languagePack'
  end: (one: Activated) => Promise<{ status: number }>
}[] = [
  { what: 'the computer is removed from the group', reason: 'LeftGroup', end: remove },
  {
    what: 'the group is deleted',
    reason: 'GroupDeleted',
    end: ({ group }) => writer.call(deleteGroup, { params: { id: group.id }, query: { force: true } }),
  },
  {
    what: 'the group above is deleted',
    reason: 'GroupDeleted',
    through: 'parent',
    end: ({ parent }) => writer.call(deleteGroup, { params: { id: parent.id }, query: { force: true } }),
  },
  {
    what: 'the group is moved away from the assignment',
    reason: 'GroupMoved',
    through: 'parent',
    end: async ({ group }) =>
      writer.call(moveGroup, {
        params: { id: group.id },
        body: { parentId: (await given.root('AssignmentGroups')).id },
      }),
  },
  { what: 'the assignment is removed', reason: 'Unassigned', end: unassign },
  {
    what: 'the language pack is removed',
    reason: 'Unassigned',
    through: 'languagePack',
    end: ({ group, software }) =>
      writer.call(removeGroupLanguagePack, { params: { id: group.id, packageId: software.id } }),
  },
  {
    what: 'the software class is removed from the group',
    reason: 'Unassigned',
    through: 'class',
    end: ({ group, softwareClass }) =>
      writer.call(removeGroupSoftwareClass, { params: { id: group.id, classId: softwareClass.id } }),
  },
  {
    what: 'the package leaves the software class',
    reason: 'ClassChanged',
    through: 'class',
    end: ({ softwareClass }) =>
      as('package.write').call(applyCatalog, {
        body: { catalog: { softwareClasses: [{ name: softwareClass.name, packages: [] }] } },
      }),
  },
  {
    what: 'the package is replaced by another one',
    reason: 'Unassigned',
    end: async ({ software }) =>
      writer.call(replacePackage, { body: { oldPackageId: software.id, newPackageId: (await readyPackage()).id } }),
  },
  {
    what: 'the computer is deactivated',
    reason: 'Deactivated',
    end: ({ params }) => operator.call(deactivateComputer, { params }),
  },
  {
    what: 'the group is deactivated',
    reason: 'Deactivated',
    end: ({ group }) => operator.call(deactivateGroup, { params: { id: group.id } }),
  },
]

const explanationOf = async ({ params, software }: Activated) =>
  (await reader.call(explainComputer, { params, query: { packageId: software.id } })).body
const deploymentsOf = async ({ params, software }: Activated) =>
  (await reader.call(listSoftwareDeployments, { params, query: { packageId: software.id } })).body
const taskOf = async ({ trackingId }: Activated) => (await reader.call(getTask, { params: { trackingId } })).body
const statusOf = async ({ software }: Activated) => {
  const { total, pending } = (await as('package.read').call(getPackageStatus, { params: { id: software.id } })).body
  return { total, pending }
}

describe.each(endings)('when $what', ({ reason, through, end }) => {
  test('work that waits for the agent is cancelled, and every answer says so', async () => {
    const one = await activated(through && { through })

    expect((await end(one)).status).toBeLessThan(300)

    expect((await one.computer.contact()).body.work).toEqual([])
    const task = await taskOf(one)
    expect(task).toMatchObject({ status: 2, open: 0, cancelled: 1 })
    expect(task.actions.items).toMatchObject([{ state: 'Cancelled', cancelReason: reason }])
    const explanation = await explanationOf(one)
    expect(explanation).toMatchObject({ work: null, cancellation: { reason } })
    expect(['NotAssigned', 'NotActivated']).toContain(explanation.verdict)
    const isAssigned = reason === 'Deactivated'
    expect((await deploymentsOf(one)).map(({ softwareId }) => softwareId)).toEqual(isAssigned ? [one.software.id] : [])
    expect(await statusOf(one)).toEqual(isAssigned ? { total: 1, pending: 1 } : { total: 0, pending: 0 })
    const { items } = (await reader.call(listDistributionHistory, { params: one.params })).body
    expect(items[0]).toMatchObject({
      result: 'Cancelled',
      classification: 'Cancellation',
      info: explanation.cancellation?.message,
    })
  })

  test('the result of work that the agent has begun is recorded as a fact and changes nothing else', async () => {
    const one = await activated(through && { through })
    const [item] = (await one.computer.contact()).body.work
    const workId = item?.workId ?? 0
    await one.computer.start(workId)

    await end(one)

    expect((await one.computer.progress(workId)).body).toMatchObject({ cancelled: true })
    expect((await one.computer.report(workId)).body).toEqual({ accepted: true })
    expect((await taskOf(one)).actions.items).toMatchObject([{ state: 'Cancelled', cancelReason: reason }])
    expect(await deploymentsOf(one)).toMatchObject([{ softwareId: one.software.id, installationState: 'Installed' }])
    expect((await one.computer.contact()).body.work).toEqual([])
  })
})

test('the reason names the group that the computer has left', async () => {
  const one = await activated()

  await remove(one)

  const message = `The computer left the group ${one.group.name}.`
  expect((await explanationOf(one)).cancellation).toMatchObject({ subject: one.group.name, message })
})

test('a computer that no longer matches the rule of its group loses the work that the group brought', async () => {
  const computer = await agent()
  const { name } = await db
    .selectFrom('computers')
    .select('name')
    .where('id', '=', computer.id)
    .executeTakeFirstOrThrow()
  const group = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(group, await readyPackage(), 'package')
  const params = { id: group.id }
  await writer.call(setGroupRule, { params, body: { criteria: { names: [name] } } })
  await operator.call(activateComputer, { params: { id: computer.id }, body: { software: true } })

  await db
    .updateTable('computers')
    .set({ name: `renamed ${name}` })
    .where('id', '=', computer.id)
    .execute()
  while ((await followRules(db)) !== undefined);

  expect((await computer.contact()).body.work).toEqual([])
})

test('work that another activated group justifies stays', async () => {
  const one = await activated()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await writer.call(addGroupComputers, { params: { id: other.id }, body: { computerIds: [one.computer.id] } })
  await writer.call(assignGroupPackage, { params: { id: other.id }, body: { packageId: one.software.id } })
  await operator.call(activateComputer, { params: one.params, body: { software: true } })

  await remove(one)

  expect(await explanationOf(one)).toMatchObject({ verdict: 'Due', cancellation: null })
  expect((await one.computer.contact()).body.work).toHaveLength(1)
})

test('a group that was not activated justifies no work, though it assigns the same package', async () => {
  const one = await activated()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(other, one.software, 'package')
  await writer.call(addGroupComputers, { params: { id: other.id }, body: { computerIds: [one.computer.id] } })

  await remove(one)

  expect((await one.computer.contact()).body.work).toEqual([])
  expect(await explanationOf(one)).toMatchObject({ verdict: 'NotActivated', cancellation: { reason: 'LeftGroup' } })
})

test('a requested reinstall ends with the assignment, but not with the activation', async () => {
  const one = await activated()
  const body = { packageId: one.software.id }
  await as('reinstall.execute').call(requestSoftwareReinstall, { params: one.params, body })
  const pending = async () => (await reader.call(listSoftwareReinstalls, { params: one.params })).body.totalCount

  await operator.call(deactivateComputer, { params: one.params })
  expect(await pending()).toBe(1)
  await unassign(one)

  expect(await pending()).toBe(0)
  expect((await one.computer.contact()).body.work).toEqual([])
  expect(await explanationOf(one)).toMatchObject({ cancellation: { reason: 'Unassigned' } })
})

test('what a computer does after its work ends with its last activation, but a requested reboot does not', async () => {
  const one = await activated()
  const body = { software: true, pull: true, srl: { action: 'Shutdown' as const } }
  await operator.call(activateComputer, { params: one.params, body })
  const other = await activated()
  await as('reboot.execute').call(rebootComputer, { params: other.params, body: {} })

  await remove(one)
  await remove(other)

  expect((await one.computer.contact()).body.work).toEqual([])
  expect((await other.computer.contact()).body.work).toMatchObject([{ kind: 'Power', power: { action: 'Reboot' } }])
})

test('a failure counts only while the package is assigned', async () => {
  const one = await activated()
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [item] = (await one.computer.contact()).body.work
    await one.computer.report(item?.workId ?? 0, { attempt, status: 'Failed', exitCode: 1603 })
    await world.letTimePass(item?.workId ?? 0)
  }
  const sweep = async () => {
    const query = { softwareId: one.software.id }
    return (await reader.call(listFailedDeploymentComputers, { query })).body.totalCount
  }
  expect(await sweep()).toBe(1)

  await unassign(one)

  expect(await sweep()).toBe(0)
  expect((await reader.call(getComputerIssues, { params: one.params })).body.activeIssues).not.toContain(
    'failed-deployment',
  )
  expect(await explanationOf(one)).toMatchObject({ verdict: 'NotAssigned', failure: null })
  await writer.call(assignGroupPackage, { params: { id: one.group.id }, body: { packageId: one.software.id } })
  expect(await deploymentsOf(one)).toMatchObject([{ status: 'Pending', installationState: 'None' }])
})
