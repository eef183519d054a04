import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { approveRequest } from '../../src/features/blast-radius/api/approve-request.ts'
import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { getDesiredState } from '../../src/features/catalog/api/desired-state/get-desired-state.ts'
import { planDesiredState } from '../../src/features/catalog/api/desired-state/plan-desired-state.ts'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { fingerprints } from '../world/tables.ts'
import { firefox, groups, openStateWorld, type State, variableDefinitions, vpn } from './state-world.ts'

const { as, caller, db, given, exportState, planOf, apply } = await openStateWorld()

const exported = async (name: string) =>
  (await exportState()).groups?.filter(({ path }) => path.startsWith(`Configuration/${name}`))

test('a document creates groups with what is assigned to them, and then there is nothing left to change', async () => {
  const state = { variableDefinitions, groups: groups('Europe') }

  const plan = await planOf(state)
  const applied = await apply(state, { plan })

  expect(plan.changes.map(({ action, section, name }) => `${action} ${section} ${name}`)).toEqual([
    'add variableDefinitions Printing',
    'add variableDefinitions Printing.Password',
    'add variableDefinitions Printing.Queues',
    'add variableDefinitions Printing.Queues.Colour',
    'add variableDefinitions Printing.Queues.Name',
    'add variableDefinitions Printing.Server',
    'add groups Configuration/Europe',
    'add groups Configuration/Europe/Berlin',
    'add groupPackages Configuration/Europe/Berlin ← firefox 128.0',
    'add groupPackages Configuration/Europe/Berlin ← vpn 5.2 revision 2',
    'add groupOptions Configuration/Europe/Berlin',
    'add groupOptions Configuration/Europe/Berlin ← firefox 128.0',
    'add groupVariables Configuration/Europe/Berlin ← Printing.Password',
    'add groupVariables Configuration/Europe/Berlin ← Printing.Server',
    'add groupCollections Configuration/Europe/Berlin ← Printing.Queues',
  ])
  expect(applied.body).toMatchObject({ applied: 15, remaining: 0, work: null })
  expect((await planOf(state, false)).changes).toEqual([])
})

test('the export of what a document created is that document, with its defaults and with names for its secrets', async () => {
  await apply({ variableDefinitions, groups: groups('Asia') })

  const [asia, berlin] = (await exported('Asia')) ?? []

  const [, original] = groups('Asia')
  expect(asia).toEqual({ path: 'Configuration/Asia', description: 'Everything below' })
  expect(berlin).toEqual({
    ...original,
    variables: [
      { variable: 'Printing.Password', secret: expect.stringMatching(/^env:PRINTING_PASSWORD_[0-9A-F]{8}$/) },
      { variable: 'Printing.Server', value: 'print02', forced: true },
    ],
    collections: [
      {
        variable: 'Printing.Queues',
        entries: [
          { Colour: 'no', Name: 'floor-2' },
          { Colour: 'yes', Name: 'floor-3' },
        ],
      },
    ],
  })
})

test('a plan shows old and new values, the computers that a change affects, and what prevents it', async () => {
  await apply({ variableDefinitions, groups: groups('Africa') })
  const [parent, child = { path: '' }] = groups('Africa')
  const { id } = await db.selectFrom('groups').select('id').where('path', '=', child.path).executeTakeFirstOrThrow()
  await given.member({ id }, await given.computer())

  const { changes } = await planOf({
    groups: [
      { path: parent?.path ?? '', packages: [{ name: 'unknown', version: '1.0' }] },
      { ...child, variables: [{ variable: 'printing.server', value: 'print03' }] },
    ],
  })

  expect(changes).toMatchObject([
    {
      section: 'groups',
      action: 'change',
      fields: [{ field: 'description', before: 'Everything below', after: null }],
    },
    { section: 'groupPackages', action: 'add', blockers: ['The package unknown 1.0 does not exist'], computers: 1 },
    {
      section: 'groupVariables',
      operations: ['setGroupVariable'],
      computers: 1,
      fields: [
        { field: 'value', before: 'print02', after: 'print03' },
        { field: 'forced', before: 'true', after: 'false' },
      ],
    },
  ])
})

test('what is missing is removed only with prune and the number of removals, and a group with computers stays', async () => {
  const state = { groups: groups('America') }
  await apply({ variableDefinitions, ...state })
  const others = (await exportState()).groups?.filter(({ path }) => !path.startsWith('Configuration/America')) ?? []
  const target: State = {
    groups: [...others, { path: 'Configuration/America/Berlin' }, { path: 'Configuration/America' }],
  }

  const kept = await planOf(target)
  const plan = await planOf(target, true)
  const refused = await apply(target, { prune: true, plan, expectedRemovals: 1 })
  const applied = await apply(target, { prune: true, plan })

  expect(kept.removed).toBe(0)
  expect(plan.changes.filter(({ action }) => action === 'remove')).toHaveLength(7)
  expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedRemovals', raw: { actualRemovals: 7 } })
  expect(applied.body.remaining).toBe(0)
  expect(await exported('America')).toEqual([
    { path: 'Configuration/America' },
    { path: 'Configuration/America/Berlin' },
  ])

  const { id } = await db
    .selectFrom('groups')
    .select('id')
    .where('path', '=', 'Configuration/America/Berlin')
    .executeTakeFirstOrThrow()
  await given.member({ id }, await given.computer())
  const blocked = await apply({ groups: others }, { prune: true })
  expect(blocked).toMatchObject({
    status: 409,
    problem: 'StateBlocked',
    raw: {
      blockers: [
        { name: 'Configuration/America/Berlin', blockers: ['it has 1 computer: move it to another group first'] },
      ],
    },
  })
})

test('a refused step is named, what came before it stays, and the plan continues when the cause is gone', async () => {
  const state: State = {
    groups: [
      { path: 'Assignment/Frozen', packages: [firefox] },
      { path: 'Assignment/Later', packages: [firefox] },
    ],
  }
  const softwareClass = await given.softwareClass({ packages: [] })
  await apply({ groups: [{ path: 'Assignment/Frozen' }] })
  const plan = await planOf(state)
  // The group gets the package through a class meanwhile, which the plan does not show.
  const frozen = await db
    .selectFrom('groups')
    .select('id')
    .where('path', '=', 'Assignment/Frozen')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .selectFrom('packages')
    .select('id')
    .where('package_name', '=', 'firefox')
    .executeTakeFirstOrThrow()
  await db.insertInto('software_class_packages').values({ class_id: softwareClass.id, package_id: id }).execute()
  await given.assignment(frozen, softwareClass, 'softwareClass')

  const refused = await apply(state, { plan })
  await db.deleteFrom('software_class_packages').where('class_id', '=', softwareClass.id).execute()
  const continued = await apply(state, { plan })

  expect(refused).toMatchObject({
    status: 409,
    problem: 'StateStepFailed',
    raw: {
      applied: 1,
      remaining: 2,
      failed: { name: 'Assignment/Frozen ← firefox 128.0', code: 'CoveredBySoftwareClass' },
    },
  })
  expect(continued.body).toMatchObject({ applied: 2, remaining: 0 })
})

test('each change requires the role of its operation, and each section that of its reads', async () => {
  const state: State = { groups: [{ path: 'Assignment/Not allowed' }] }
  const reader = as('group.read', 'package.read')
  const plan = (await reader.call(planDesiredState, { body: { state } })).body
  const unread = await as('group.read').call(planDesiredState, { body: { state } })
  const own = await as('pm.read').call(getDesiredState)
  const others = await as('pm.read').call(getDesiredState, { query: { sections: ['webhooks'] } })
  const blind = await apply(state, { plan, who: as('group.read', 'group.write') })
  const before = await fingerprints(db)

  const refused = await apply(state, { plan, who: reader })

  expect(blind).toMatchObject({ status: 403, raw: { requiredRole: 'package.read' } })
  expect(plan.missingRoles).toEqual(['group.write'])
  expect(refused).toMatchObject({ status: 403, raw: { requiredRole: 'group.write' } })
  expect(unread).toMatchObject({ status: 403, raw: { requiredRole: 'package.read' } })
  expect(Object.keys(own.body)).toEqual(['patchApprovals'])
  expect(others.status).toBe(403)
  expect(await fingerprints(db)).toEqual(before)
})

test('each step is audited as its operation, and no secret is exported, audited or planned', async () => {
  await apply({ variableDefinitions, groups: groups('Audited') })

  const { items } = (await as('admin.manage').call(listAuditEntries, { query: { top: 20 } })).body
  const seen = JSON.stringify([items, await exportState(), await planOf({ groups: groups('Audited') })])

  expect(items.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining([
      'applyDesiredState',
      'createGroup',
      'assignGroupPackage',
      'setDistributionOptions',
      'setGroupVariable',
    ]),
  )
  expect(seen).not.toContain('open sesame')
})

test('a secret that is needed has to be given', async () => {
  const state = { variableDefinitions, groups: groups('Secret') }
  const plan = await planOf(state)

  const refused = await apply(state, { plan: { ...plan, secrets: [] } })

  expect(plan.secrets).toEqual(['env:PRINT'])
  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'secrets.env:PRINT' }] } })
})

test('a step that exceeds the quota of the caller waits for an approval, and the plan continues after it', async () => {
  const path = 'Configuration/Quota'
  await apply({ groups: [{ path, packages: [firefox] }] })
  const { id } = await db.selectFrom('groups').select('id').where('path', '=', path).executeTakeFirstOrThrow()
  for (let count = 0; count < 2; count++) await given.member({ id }, await given.computer())
  await as('admin.manage').call(setBlastRadius, { body: { apiQuota: 1, consoleQuota: 1 } })
  const state: State = {
    groups: [
      { path, packages: [firefox], options: [{ package: firefox, commands: ['Uninstall'] }] },
      { path: `${path}/Below` },
    ],
  }
  const plan = await planOf(state)

  const waiting = await apply(state, { plan })
  const { approvalId } = (waiting.raw as { failed: { approvalId: string } }).failed
  const approved = await as('admin.manage').call(approveRequest, { params: { id: approvalId } })
  const continued = await apply(state, { plan })
  await as('admin.manage').call(setBlastRadius, { body: { apiQuota: null, consoleQuota: 500 } })

  expect(waiting).toMatchObject({ status: 409, raw: { applied: 1, failed: { code: 'ApprovalRequired' } } })
  expect(approved.body.state).toBe('Executed')
  expect(continued.body).toMatchObject({ applied: 0, remaining: 0 })
  expect((await planOf(state)).changes).toEqual([])
})

test('a dry run makes every step, counts the work that an activation would create, and changes nothing', async () => {
  await caller.call(createGroup, {
    body: { name: 'Rehearsal', type: 'ConfigurationGroups', parentId: (await given.root('ConfigurationGroups')).id },
  })
  const path = 'Configuration/Rehearsal'
  const { id } = await db.selectFrom('groups').select('id').where('path', '=', path).executeTakeFirstOrThrow()
  for (let count = 0; count < 3; count++) await given.member({ id }, await given.computer())
  const state: State = {
    groups: [
      { path, packages: [firefox] },
      { path: `${path}/Below`, packages: [vpn] },
    ],
  }
  const before = await fingerprints(db)

  const { body } = await apply(state, { dryRun: true })

  expect(body).toEqual({ applied: 3, remaining: 0, work: [{ group: path, computers: 3, workItems: 3 }] })
  expect(await fingerprints(db)).toEqual(before)
})
