import { expect, test } from 'vitest'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { operations } from '../../src/features/index.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { TSchema } from '../../src/platform/schema.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openApprovalWorld, type Refusal } from './approval-world.ts'
import { restartingPolicy, restartOnSundays } from './restarting-policy.ts'

const { administrator, db, given, groupWith, principal, setQuota } = await openApprovalWorld()
const { assigned, deployment } = deploymentsIn(db, given)

/** An uninstall that waits: it affects every computer of the group with the nearest assignment. */
async function pendingUninstall(...roles: ('computer.read' | 'group.read' | 'package.read')[]) {
  const made = await given.package({ name: 'Example Editor', version: '4.2' })
  const { group, computer } = await assigned(made)
  const other = await given.computer({ name: `aa-${group.id}` })
  await given.member(group, other)
  await deployment(computer, made, { installation_state: 'Installed' })
  const requester = await principal('activation.execute', ...roles)
  await setQuota(1)
  const refused = await requester.call(uninstallSoftware, {
    params: { id: computer.id },
    body: { packageId: made.id },
  })
  const { approvalId: id } = refused.raw as Refusal
  const read = async (by = administrator()) => (await by.call(getApproval, { params: { id } })).body
  return { made, group, computer, other, requester, read }
}

test('who decides sees the names of the group, of the package and of the computers', async () => {
  const { made, group, computer, other, read } = await pendingUninstall()

  expect(await read()).toMatchObject({
    state: 'Pending',
    targetName: computer.name,
    computerCount: 2,
    subjects: [
      { kind: 'Group', id: group.id, name: group.path, currentName: group.path },
      { kind: 'Computer', id: String(computer.id), name: computer.name, currentName: computer.name },
      { kind: 'Package', id: made.id, name: 'Example Editor 4.2', currentName: 'Example Editor 4.2' },
    ],
    firstComputers: [
      { computerId: other.id, name: other.name, currentName: other.name },
      { computerId: computer.id, name: computer.name, currentName: computer.name },
    ],
  })
})

test('names that have changed since are shown as they were and as they are, and what is deleted has none', async () => {
  const { made, group, other, read } = await pendingUninstall()
  await db.updateTable('groups').set({ name: 'Renamed' }).where('id', '=', group.id).execute()
  await db.deleteFrom('group_packages').where('package_id', '=', made.id).execute()
  await db.deleteFrom('deployments').where('package_id', '=', made.id).execute()
  await db.deleteFrom('packages').where('id', '=', made.id).execute()
  await db.deleteFrom('computers').where('id', '=', other.id).execute()

  const { subjects, firstComputers } = await read()

  expect(subjects).toMatchObject([
    { name: group.path, currentName: expect.stringMatching(/Renamed$/) },
    { kind: 'Computer' },
    { name: 'Example Editor 4.2', currentName: null },
  ])
  expect(firstComputers[0]).toMatchObject({ name: other.name, currentName: null })
})

test.each([
  [[], [], 0],
  [['group.read'], ['Group'], 0],
  [['computer.read', 'package.read'], ['Computer', 'Package'], 2],
] as const)('a requester with the roles %j sees only the names that it may read', async (roles, kinds, computers) => {
  const { requester, read } = await pendingUninstall(...roles)

  const own = await read(requester)

  expect(own.subjects.map(({ kind }) => kind)).toEqual(kinds)
  expect(own.firstComputers).toHaveLength(computers)
  expect(own.targetName === null).toBe(computers === 0)
})

type Property = { of: 'path' | 'query' | 'body'; name: string }

/** The properties of a request that identify something: by a UUID, or by a number whose name ends with Id or Ids. */
function idProperties({ params, query, body }: AnyOperation): Property[] {
  const parts = { path: params, query, body } as Record<Property['of'], TSchema | null>
  return (Object.keys(parts) as Property['of'][]).flatMap((of) =>
    Object.entries((parts[of]?.properties ?? {}) as Record<string, TSchema>)
      .filter(([name, schema]) => name === 'id' || /Ids?$/.test(name) || JSON.stringify(schema).includes('"uuid"'))
      .map(([name]) => ({ of, name })),
  )
}

test('an approval of a patch policy names its groups and those of its rings', async () => {
  const [group, ring] = [await groupWith(2), await given.group()]
  const { id } = await restartingPolicy(db, group)
  const requester = await principal('pm.approve', 'group.read')
  await setQuota(1)
  const rings = [{ name: 'Pilot', groupId: ring.id }, { name: 'Rest' }]

  const refused = await requester.call(updatePatchPolicy, {
    params: { id },
    body: { restart: restartOnSundays, rings },
  })
  const { body } = await requester.call(getApproval, { params: { id: (refused.raw as Refusal).approvalId } })

  expect(refused.problem).toBe('ApprovalRequired')
  expect(body.subjects.map(({ name }) => name).sort()).toEqual([group.path, ring.path].sort())
})

test('every id that a destructive request can contain is named, or is one of the affected computers', () => {
  const unnamed = operations
    .filter(({ destructive }) => destructive)
    .flatMap((operation) =>
      idProperties(operation)
        .filter(({ name, of }) => !(of === 'path' && name === 'id') && name !== 'packageId' && name !== 'computerIds')
        // \`groups\` of the mass action names the groups of rings.
        .filter(({ name }) => !(operation.id === 'updatePatchPolicy' && name === 'rings'))
        // The address of the request has their numbers; the page of the policy names them.
        .filter(({ name }) => !(operation.id === 'stopPatchOfPolicy' && ['patchId', 'productId'].includes(name)))
        .map(({ name }) => `${operation.id} ${name}`),
    )
  const pathsWithId = operations.filter(({ destructive, path }) => destructive && path.includes(':id'))

  expect(unnamed).toEqual([])
  for (const { path, massAction } of pathsWithId)
    expect(path.startsWith('/api/computer/:id') || massAction?.groups !== undefined, path).toBe(true)
})
