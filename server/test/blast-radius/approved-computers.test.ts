import { expect, test } from 'vitest'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { operations } from '../../src/features/index.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { Role } from '../../src/platform/roles.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import type { Input } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { openApprovalWorld, type Refusal } from './approval-world.ts'
import { restartingPolicy, restartOnSundays } from './restarting-policy.ts'
import { rollbackOfPatch } from './rolled-back-patch.ts'

/** From this number of work items on, they are created after the answer. */
const slicedItems = 30

const { administrator, approve, as, db, given, groupWith, principal, setQuota } = await openApprovalWorld({
  slicedActivationItems: slicedItems,
})
const { deployment } = deploymentsIn(db, given)

type Computer = { id: number }
// biome-ignore lint/suspicious/noExplicitAny: the cases are requests to different operations.
type Request = Input<any, any, any>
type Case = {
  /** What happens to an approved request if another computer has joined: it is left out, or the request fails. */
  late: 'left out' | 'refused'
  request(fleet: Fleet): Request | Promise<Request>
}
type Fleet = Awaited<ReturnType<typeof openFleet>>

/** A group with a package, six computers that have it, and one that is in no group yet. */
async function openFleet() {
  const [group, made] = [await given.group(), await given.package({ is_operational: true })]
  await given.assignment(group, made, 'package')
  const computers: [Computer, ...Computer[]] = [await given.computer()]
  while (computers.length < 6) computers.push(await given.computer())
  for (const computer of computers) {
    await given.member(group, computer)
    await deployment(computer, made, { installation_state: 'Installed' })
  }
  const late = await given.computer()
  return { group, made, computers, late }
}

const ofGroup = ({ group }: Fleet, rest: Request = {}) => ({ params: { id: group.id }, ...rest })
const uninstall = { commands: ['Uninstall'] } as const

/** All destructive mass actions. Other destructive operations concern the one computer of their path. */
const cases: Record<string, Case> = {
  activateGroup: {
    late: 'left out',
    request: (fleet) => ofGroup(fleet, { body: { software: true, srl: { action: 'Shutdown' } } }),
  },
  rebootComputers: {
    late: 'left out',
    request: ({ computers, late }) => ({ body: { computerIds: [...computers, late].map(({ id }) => id) } }),
  },
  deleteGroup: { late: 'refused', request: (fleet) => ofGroup(fleet, { query: { force: true } }) },
  setDistributionOptions: { late: 'refused', request: (fleet) => ofGroup(fleet, { body: uninstall }) },
  removeDistributionOptions: {
    late: 'refused',
    async request(fleet) {
      await as('group.write').call(setDistributionOptions, { ...ofGroup(fleet), body: { commands: ['Install'] } })
      return ofGroup(fleet)
    },
  },
  uninstallOnComputers: {
    late: 'refused',
    request: ({ computers, made }) => ({ body: { computerIds: [computers[0].id], packageId: made.id } }),
  },
  uninstallSoftware: {
    late: 'refused',
    request: ({ computers, made }) => ({ params: { id: computers[0].id }, body: { packageId: made.id } }),
  },
  stopPatchOfPolicy: {
    late: 'refused',
    request: ({ group, computers, late }) => rollbackOfPatch({ as, given }, group, [...computers, late]),
  },
  updatePatchPolicy: {
    late: 'refused',
    request: async ({ group }) => ({
      params: { id: (await restartingPolicy(db, group)).id },
      body: { restart: restartOnSundays },
    }),
  },
}

const destructive = operations.filter((operation) => operation.destructive)

/** Its request lists the computers that it deletes, so none can join. */
const withFixedComputers = ['deleteComputers']

test('for every destructive mass action it is known what happens to computers that join later', () => {
  const declared = destructive.flatMap(({ id, massAction }) =>
    massAction && !withFixedComputers.includes(id)
      ? [[id, massAction.restrictsToApproved ? 'left out' : 'refused']]
      : [],
  )

  expect(Object.fromEntries(Object.entries(cases).map(([id, { late }]) => [id, late]))).toEqual(
    Object.fromEntries(declared),
  )
})

test('every other destructive operation concerns the computer of its path', () => {
  const others = destructive.filter(({ massAction }) => !massAction)

  expect(others.filter(({ path }) => !path.startsWith('/api/computer/:id'))).toEqual([])
})

/** Makes a request that waits for approval, with the largest tolerance that a caller can state. */
async function waitingRequest(id: string) {
  const operation = operations.find((one) => one.id === id) as AnyOperation
  const { late, request } = cases[id] as Case
  const fleet = await openFleet()
  const input = await request(fleet)
  const { call } = await principal(operation.role as Role)
  await setQuota(0)
  const query = { ...input.query, expectedCount: 6, expectedCountTolerance: '999%' }
  const refused = await call(operation, { ...input, query })
  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired', raw: { computerCount: 6 } })
  return { ...fleet, whenLate: late, repeat: () => call(operation, { ...input, query }), ...(refused.raw as Refusal) }
}

const computersWithWork = async () =>
  (await db.selectFrom('work').select('computer_id').distinct().orderBy('computer_id').execute()).map(
    ({ computer_id }) => computer_id,
  )

/** The tables that destructive operations change. */
async function changedTables() {
  const all = await fingerprints(db)
  const { groups, group_computers, distribution_options, work, tasks, computers, activations } = all
  return { groups, group_computers, distribution_options, work, tasks, computers, activations }
}

const idsOf = (computers: readonly Computer[]) => computers.map(({ id }) => id)

test.each(Object.keys(cases))('an approved %s does not affect computers that have joined since', async (id) => {
  const { approvalId, computers, group, late, whenLate } = await waitingRequest(id)
  const workBefore = await computersWithWork()
  await given.member(group, late)
  const before = await changedTables()

  const { body } = await approve(approvalId)

  if (whenLate === 'refused') {
    expect(body).toMatchObject({ state: 'Failed', answerStatus: 409, problemCode: 'ApprovedComputersChanged' })
    expect(await changedTables()).toEqual(before)
    return
  }
  expect(body).toMatchObject({ state: 'Executed', computerCount: 6 })
  const touched = (await computersWithWork()).filter((computerId) => !workBefore.includes(computerId))
  expect(touched).toEqual(idsOf(computers))
})

test.each(Object.keys(cases))('an approved %s does not affect computers that have left since', async (id) => {
  const { approvalId, computers, group } = await waitingRequest(id)
  const workBefore = await computersWithWork()
  const gone = computers.at(-1) as Computer
  await db.deleteFrom('group_computers').where('group_id', '=', group.id).where('computer_id', '=', gone.id).execute()

  const { body } = await approve(approvalId)

  expect(body).toMatchObject({ state: 'Executed', computerCount: 6, problemCode: null })
  const touched = (await computersWithWork()).filter((computerId) => !workBefore.includes(computerId))
  expect(touched).not.toContain(gone.id)
})

test('an approval is bound to the computers, not to their number', async () => {
  const { approvalId, computers, group, late } = await waitingRequest('deleteGroup')
  await db.deleteFrom('group_computers').where('computer_id', '=', computers[0].id).execute()
  await given.member(group, late)

  expect((await approve(approvalId)).body).toMatchObject({ state: 'Failed', problemCode: 'ApprovedComputersChanged' })
})

test('a request that is repeated for other computers waits separately', async () => {
  const { approvalId, group, late, repeat } = await waitingRequest('activateGroup')
  const same = ((await repeat()).raw as Refusal).approvalId
  await given.member(group, late)

  const other = (await repeat()).raw as Refusal

  expect(same).toBe(approvalId)
  expect(other.approvalId).not.toBe(approvalId)
  expect(other.computerCount).toBe(7)
})

test('a request whose work is created later, because there is much of it, is bound to its computers, too', async () => {
  const group = await groupWith(slicedItems)
  const { call } = await principal('activation.execute')
  await setQuota(1)

  const refused = await call(activateGroup, {
    params: { id: group.id },
    body: { software: true, srl: { action: 'Shutdown' } },
  })
  await given.member(group, await given.computer())
  const { approvalId: id } = refused.raw as Refusal
  const waiting = (await administrator().call(getApproval, { params: { id } })).body
  const approved = await approve(id)

  expect(waiting).toMatchObject({ computerCount: slicedItems })
  expect(waiting.firstComputers).toHaveLength(20)
  expect(approved.body).toMatchObject({ state: 'Executed', computerCount: slicedItems })
  const activations = await db.selectFrom('sliced_activations').select('computer_count').execute()
  expect(activations).toEqual([{ computer_count: slicedItems }])
})
