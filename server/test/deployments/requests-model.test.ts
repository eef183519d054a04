import fc from 'fast-check'
import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { rescanComputer } from '../../src/features/deployments/api/requests/rescan-computer.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const world = deploymentsIn(db, given)

const packageCount = 3

type Step =
  | { act: 'assign' | 'unassign' | 'reinstall' | 'cancel' | 'install' | 'report'; at: number }
  | { act: 'rescan' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('assign', 'assign', 'unassign', 'reinstall', 'reinstall', 'cancel', 'install', 'report'),
      at: fc.nat(packageCount - 1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'rescan' as const }) },
)

/** The expected state of a package. The first package is the inventory scan. */
type Known = {
  id: string
  isAssigned: boolean
  result: 'Success' | null
  pending: string | null
  reinstall: string | null
}

/** One computer in one group, and what the API must return for it. */
async function openModel() {
  const [group, computer] = [await given.group(), await agent()]
  await given.member(group, computer)
  const params = { id: computer.id }
  const known: Known[] = []
  for (let at = 0; at < packageCount; at++) {
    const { id } = await readyPackage({ kind: at === 0 ? 'InventoryScan' : 'Software' })
    known.push({ id, isAssigned: false, result: null, pending: null, reinstall: null })
  }
  const [scan] = known
  let tasks = 0

  const requested = (one: Known, groupId: string) => {
    tasks++
    Object.assign(one, { pending: 'Reinstall', reinstall: groupId })
  }

  const actions = {
    async assign(one: Known) {
      if (!one.isAssigned) await given.assignment(group, one, 'package')
      one.isAssigned = true
    },
    async unassign(one: Known) {
      const answer = await as('group.write').call(removeGroupPackage, {
        params: { id: group.id, packageId: one.id },
      })
      expect(answer.status).toBe(one.isAssigned ? 204 : 404)
      if (one.isAssigned) Object.assign(one, { isAssigned: false, pending: null, reinstall: null })
    },
    async reinstall(one: Known) {
      const answer = await as('reinstall.execute').call(requestSoftwareReinstall, {
        params,
        body: { packageId: one.id },
      })
      const expected = one.isAssigned ? (one.reinstall ? 'ReinstallAlreadyPending' : undefined) : 'PackageNotAssigned'
      expect(answer.problem).toBe(expected)
      if (!expected) requested(one, answer.body.reinstallGroupId)
    },
    async cancel(one: Known) {
      const reinstallGroupId = one.reinstall ?? group.id
      const answer = await as('reinstall.execute').call(cancelSoftwareReinstall, {
        params,
        query: { reinstallGroupId },
      })
      expect(answer.problem).toBe(one.reinstall ? undefined : 'ReinstallGroupNotFound')
      if (one.reinstall) Object.assign(one, { pending: null, reinstall: null })
    },
    /** Leaves what an activation of this package would. */
    async install(one: Known) {
      if (one.pending || !one.isAssigned) return
      await world.work(computer, one, { task_id: (await world.task({ computer_id: computer.id })).id })
      await setPending(one)
      tasks++
      one.pending = 'Install'
    },
    /** The agent leases all open work and succeeds with this package. */
    async report(one: Known) {
      if (!one.pending) return
      const leased = (await computer.contact({ emptyHanded: true })).body.work
      const { workId, attempt } = leased.find((item) => item.package?.packageId === one.id) ?? {
        workId: 0,
        attempt: 0,
      }
      expect((await computer.report(workId, { attempt })).body).toEqual({ accepted: true })
      Object.assign(one, { pending: null, reinstall: null, result: 'Success' })
    },
  }

  async function setPending(one: Known) {
    const pending_since = new Date()
    await db
      .insertInto('deployments')
      .values({ computer_id: computer.id, package_id: one.id, pending_since })
      .onConflict((conflict) => conflict.columns(['computer_id', 'package_id']).doUpdateSet({ pending_since }))
      .execute()
  }

  async function rescan() {
    const answer = await as('scan.execute').call(rescanComputer, { params, body: { scanType: 'Inventory' } })
    if (!scan?.isAssigned) return expect(answer.problem).toBe('ScanPackageNotAssigned')
    expect(answer.body.alreadyPending).toBe(scan.reinstall !== null)
    if (scan.reinstall) expect(answer.body.reinstallGroupId).toBe(scan.reinstall)
    else requested(scan, answer.body.reinstallGroupId)
  }

  async function check() {
    const reader = as('computer.read')
    const deployments = (await reader.call(listSoftwareDeployments, { params })).body
    const listed = known.filter((one) => one.isAssigned || one.result)
    expect(deployments.map(({ softwareId, status, desiredMode }) => ({ softwareId, status, desiredMode }))).toEqual(
      listed.map((one) => ({
        softwareId: one.id,
        status: one.result && !one.pending ? 'Success' : 'Pending',
        desiredMode: one.reinstall ? 'Reinstall, Force' : one.isAssigned ? 'Install' : '',
      })),
    )
    const pending = (await reader.call(listSoftwareReinstalls, { params })).body.items
    expect(pending.map(({ reinstallGroupId }) => reinstallGroupId).sort()).toEqual(
      known.flatMap(({ reinstall }) => reinstall ?? []).sort(),
    )
    const open = (await world.workOf(computer)).filter(({ state }) => state === 'Due' || state === 'Leased')
    expect(open.map(({ package_id, kind }) => `${package_id} ${kind}`).sort()).toEqual(
      known.flatMap(({ id, pending }) => (pending ? `${id} ${pending}` : [])).sort(),
    )
    const all = (await reader.call(listTasks, { query: { clientId: computer.id } })).body
    expect(all.totalCount).toBe(tasks)
    expect(all.items.filter(({ status }) => status === 1)).toHaveLength(open.length)
  }

  return {
    async take(next: Step) {
      if (next.act === 'rescan') await rescan()
      else {
        const one = known[next.at]
        if (one) await actions[next.act](one)
      }
      await check()
    },
  }
}

test('the API agrees with the model after any sequence of assignments, requests, cancellations and reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const model = await openModel()
      for (const next of steps) await model.take(next)
    }),
    { numRuns: 5 },
  )
})
