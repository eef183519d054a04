import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listApprovals } from '../../src/features/blast-radius/api/list-approvals.ts'
import { operations } from '../../src/features/index.ts'
import { stopPatchOfPolicy } from '../../src/features/patch-policies/api/stop-patch-of-policy.ts'
import { invalidRequest } from '../../src/platform/general-problems.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { Role } from '../../src/platform/roles.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import type { Input } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { openApprovalWorld } from './approval-world.ts'
import { restartingPolicy, restartOnSundays } from './restarting-policy.ts'
import { rollbackOfPatch } from './rolled-back-patch.ts'

const world = await openApprovalWorld()
const { as, db, given, groupWith, principal, setQuota } = world
const { assigned, deployment } = deploymentsIn(db, given)

// biome-ignore lint/suspicious/noExplicitAny: the cases are requests to different operations.
type Request = Input<any, any, any>
type Cases = Record<string, () => Promise<Request>>

const destructive = operations.filter((operation) => operation.destructive)
const ofComputer = async (computer: { id: number }, rest: Request = {}) => ({ params: { id: computer.id }, ...rest })
const ofGroup = async (group: { id: string }, rest: Request = {}) => ({ params: { id: group.id }, ...rest })
const noComputer = { id: 2_000_000_000 }
const noGroup = { id: randomUUID() }
const uninstall = { commands: ['Uninstall'] }
const withoutUninstall = JSON.stringify({ commands: { install: { argv: ['sh', 'install.sh'] } } })

/** A computer to which a package is assigned, with the body of a request about both. */
async function computerWithPackage() {
  const made = await given.package()
  const { computer } = await assigned(made)
  return { computer, made, body: { packageId: made.id } }
}

/** A computer with a boot image that it cannot boot, and its group. */
async function computerWithoutPxe() {
  const [group, computer] = [await given.group(), await given.computer({ pxe_support: false })]
  await given.member(group, computer)
  await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  return { group, computer }
}

/** Carries a request out so that the same one becomes impossible. */
async function after(operationId: string, request: Request): Promise<Request> {
  const operation = requireOperation(operationId)
  expect((await as(operation.role as Role).call(operation, request)).status).toBe(200)
  return request
}

function requireOperation(id: string): AnyOperation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`The operation ${id} does not exist.`)
  return found
}

/** Each problem that a destructive operation declares, with a request that meets it and would affect computers. */
const casesByOperation: Record<string, Cases> = {
  activateComputer: {
    ComputerNotFound: () => ofComputer(noComputer, { body: { pxe: true } }),
    NoPxeBootImageAssigned: async () => ofComputer(await given.computer(), { body: { pxe: true } }),
    PxeNotApplicable: async () => {
      const { computer } = await computerWithoutPxe()
      return ofComputer(computer, { body: { pxe: true } })
    },
    InvalidRequest: async () => ofComputer(await given.computer(), { body: { srl: { action: 'Shutdown' } } }),
  },
  activateGroup: {
    GroupNotFound: () => ofGroup(noGroup, { body: { pxe: true } }),
    NoPxeBootImageAssigned: async () => ofGroup(await groupWith(2), { body: { pxe: true } }),
    PxeNotApplicable: async () => {
      const { group } = await computerWithoutPxe()
      return ofGroup(group, { body: { pxe: true } })
    },
    InvalidRequest: async () => ofGroup(await groupWith(2), { body: { srl: { action: 'Shutdown' } } }),
  },
  deleteComputer: {
    ComputerNotFound: () => ofComputer(noComputer),
    MasterServer: async () => ofComputer(await given.computer({ role: 'MasterServer' })),
    Assigned: async () => ofComputer((await computerWithPackage()).computer),
  },
  deleteComputers: {},
  deleteGroup: {
    GroupNotFound: () => ofGroup(noGroup),
    SystemGroup: async () => {
      await groupWith(1)
      return ofGroup(await given.root('ConfigurationGroups'), { query: { force: true } })
    },
    NotDeletableTree: async () => ofGroup(await given.group({ tree: 'UserGroups' })),
    SpecialGroup: async () => {
      const group = await given.group({ kind: 'EOL' })
      await given.member(group, await given.computer())
      return ofGroup(group, { query: { force: true } })
    },
    NotEmpty: async () => ofGroup(await groupWith(2)),
  },
  rebootComputer: {
    ComputerNotFound: () => ofComputer(noComputer),
    ComputerNotGroupAssigned: async () => ofComputer(await given.computer()),
  },
  rebootComputers: {},
  removeDistributionOptions: {
    GroupNotFound: () => ofGroup(noGroup),
    PackageNotFound: async () => ofGroup(await groupWith(2), { query: { packageId: randomUUID() } }),
    PackageNotAssigned: async () => ofGroup(await groupWith(2), { query: { packageId: (await given.package()).id } }),
  },
  requestSoftwareReinstall: {
    ComputerNotFound: async () => ofComputer(noComputer, { body: { packageId: (await given.package()).id } }),
    PackageNotFound: async () => ofComputer(await given.computer(), { body: { packageId: randomUUID() } }),
    PackageNotAssigned: async () =>
      ofComputer(await given.computer(), { body: { packageId: (await given.package()).id } }),
    PackageNotApplicable: async () => {
      const made = await given.package({ operating_systems: ['Windows 11'] })
      const { computer } = await assigned(made)
      await db.updateTable('computers').set({ os_name: 'Debian GNU/Linux' }).where('id', '=', computer.id).execute()
      return ofComputer(computer, { body: { packageId: made.id } })
    },
    ReinstallAlreadyPending: async () => {
      const { computer, body } = await computerWithPackage()
      return after('requestSoftwareReinstall', await ofComputer(computer, { body }))
    },
  },
  setDistributionOptions: {
    GroupNotFound: () => ofGroup(noGroup, { body: uninstall }),
    PackageNotFound: async () => ofGroup(await groupWith(2), { query: { packageId: randomUUID() }, body: uninstall }),
    PackageNotAssigned: async () =>
      ofGroup(await groupWith(2), { query: { packageId: (await given.package()).id }, body: uninstall }),
    NoUninstallCommand: async () => {
      const [group, stuck] = [await groupWith(2), await given.package({ manifest: withoutUninstall })]
      await given.assignment(group, stuck, 'package')
      return ofGroup(group, { query: { packageId: stuck.id }, body: uninstall })
    },
  },
  uninstallOnComputers: {
    PackageNotFound: async () => ({
      body: { computerIds: [(await given.computer()).id], packageId: randomUUID() },
    }),
    NoUninstallCommand: async () => {
      const { computer, made } = await computerWithPackage()
      await deployment(computer, made, { installation_state: 'Installed' })
      await db.updateTable('packages').set({ manifest: withoutUninstall }).where('id', '=', made.id).execute()
      return { body: { computerIds: [computer.id], packageId: made.id } }
    },
  },
  uninstallSoftware: {
    ComputerNotFound: async () => ofComputer(noComputer, { body: { packageId: (await given.package()).id } }),
    PackageNotAssigned: async () =>
      ofComputer(await given.computer(), { body: { packageId: (await given.package()).id } }),
    PackageNotInstalled: async () => {
      const { computer, body } = await computerWithPackage()
      return ofComputer(computer, { body })
    },
    UninstallAlreadyPending: async () => {
      const { computer, made, body } = await computerWithPackage()
      await deployment(computer, made, { installation_state: 'Installed' })
      return after('uninstallSoftware', await ofComputer(computer, { body }))
    },
    NoUninstallCommand: async () => {
      const { computer, made, body } = await computerWithPackage()
      await deployment(computer, made, { installation_state: 'Installed' })
      await db.updateTable('packages').set({ manifest: withoutUninstall }).where('id', '=', made.id).execute()
      return ofComputer(computer, { body })
    },
  },
  stopPatchOfPolicy: {
    PatchPolicyNotFound: async () => ({ params: { id: 2_000_000_000, patchId: 1 }, body: { rollBack: true } }),
    PatchNotOfPolicy: async () => {
      const { params, body } = await rollbackOfPatch(world, await groupWith(2))
      return { params: { ...params, patchId: 2_000_000_000 }, body }
    },
    PatchStopped: async () => {
      const { params } = await rollbackOfPatch(world, await groupWith(2))
      await as('pm.approve', 'pm.read').call(stopPatchOfPolicy, { params })
      return { params }
    },
  },
  updatePatchPolicy: {
    PatchPolicyNotFound: async () => ({ params: { id: 2_000_000_000 }, body: { restart: restartOnSundays } }),
    DuplicateName: async () => {
      const [one, other] = [
        await restartingPolicy(db, await groupWith(2)),
        await restartingPolicy(db, await groupWith(2)),
      ]
      return { params: { id: one.id }, body: { name: other.name, restart: restartOnSundays } }
    },
    Forbidden: async () => {
      const { id } = await restartingPolicy(db, await groupWith(2))
      return { params: { id }, body: { restart: { ...restartOnSundays, timeoutMinutes: 5 } } }
    },
  },
}

test('there is a case for every problem that a destructive operation declares', () => {
  const declared = Object.fromEntries(
    destructive.map(({ id, problems }) => [id, problems.map(({ code }) => code).sort()]),
  )
  const listed = Object.entries(casesByOperation).map(([id, cases]) => [
    id,
    Object.keys(cases)
      .filter((code) => code !== 'InvalidRequest')
      .sort(),
  ])

  expect(Object.fromEntries(listed)).toEqual(declared)
})

test.each(
  Object.entries(casesByOperation).flatMap(([id, cases]) =>
    Object.entries(cases).map(([code, make]) => [id, code, make] as const),
  ),
)('%s answers %s, and does not wait for an approval, although the quota is exhausted', async (id, code, make) => {
  const operation = requireOperation(id)
  const request = await make()
  const { call } = await principal(operation.role as Role)
  await setQuota(0)
  const before = await fingerprints(db)

  const answers = [
    await call(operation, { ...request, query: { ...request.query, dryRun: true } }),
    await call(operation, request),
  ]

  const kind = operation.problems.find((declared) => declared.code === code) ?? invalidRequest
  const expected = { status: kind.status, problem: kind.body ? undefined : code }
  expect(answers).toMatchObject([expected, expected])
  expect((await call(listApprovals)).body.items).toEqual([])
  expect(await fingerprints(db)).toEqual(before)
})
