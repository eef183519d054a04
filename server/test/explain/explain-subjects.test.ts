import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openExplainWorld, reasonsIn } from './explain-world.ts'

const { db, explain, given, placedAgent } = await openExplainWorld()

test('a variable shows every value within reach, the effective one first, and no secret value', async () => {
  const { computer, parent, group } = await placedAgent()
  const variable = await given.variable({ default_value: 'none' })
  const values = [
    { group_id: parent.id, value: 'far', is_forced: false },
    { group_id: group.id, value: 'near', is_forced: false },
  ]
  for (const value of values)
    await db
      .insertInto('group_variables')
      .values({ ...value, variable_id: variable.id })
      .execute()
  const found = await explain(computer, { variableId: variable.id })
  await db.updateTable('group_variables').set({ is_forced: true }).where('group_id', '=', parent.id).execute()
  const forced = await explain(computer, { variableId: variable.id })
  await db
    .updateTable('variable_definitions')
    .set({ is_secret: true, default_value: null })
    .where('id', '=', variable.id)
    .execute()
  const secret = await explain(computer, { variableId: variable.id })

  expect(found).toMatchObject({
    verdict: 'Applied',
    value: 'near',
    sources: [
      { kind: 'GroupValue', value: 'near', beatenBy: null },
      { kind: 'GroupValue', value: 'far', beatenBy: 'NearerGroup' },
      { kind: 'CatalogDefault', value: 'none', beatenBy: 'HigherPrecedence' },
    ],
  })
  expect(forced).toMatchObject({ value: 'far', sources: [{ kind: 'ForcedGroupValue' }, {}, {}] })
  expect([secret.value, ...secret.sources.map(({ value }) => value)]).toEqual([null, null, null])
})

test('a setting is due until the agent runs with it, and waits while its template is not released', async () => {
  const { computer, group } = await placedAgent()
  const template = await given.agentTemplate({
    settings: { contactIntervalMinutes: 15 },
    is_operational: true,
    hash_state: 'Current',
  })
  await given.assignment(group, template, 'agentTemplate')
  const due = await explain(computer, { setting: 'contactIntervalMinutes' })
  const settings = (await computer.contact()).body.settings
  await computer.contact({ settingsHash: settings?.hash ?? null })
  const applied = await explain(computer, { setting: 'contactIntervalMinutes' })
  await sql`update packages set is_operational = false, manifest = '{"settings": {"contactIntervalMinutes": 30}}'
    where id = ${template.id}`.execute(db)
  const waiting = await explain(computer, { setting: 'contactIntervalMinutes' })

  expect(due).toMatchObject({
    verdict: 'Due',
    value: '15',
    sources: [{ kind: 'AgentTemplate', value: '15', groupId: group.id }],
  })
  expect(applied).toMatchObject({ verdict: 'Applied', value: '15' })
  expect([waiting.verdict, ...reasonsIn(waiting)]).toEqual(['Waiting', 'NotReleased'])
  expect(await explain(computer, { setting: 'unknown' })).toMatchObject({ verdict: 'NotAssigned', value: null })
  expect(await explain(computer, { packageId: template.id })).toMatchObject({ verdict: 'Waiting' })
})

test('a patch waits for a scan, for a patch management group, for its approval, and for a fix package', async () => {
  const { computer, group } = await placedAgent()
  const product = await given.product()
  const patch = await given.patch({ products: [product] })
  const states = [await explain(computer, { patchId: patch.id })]
  await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Missing' }])
  states.push(await explain(computer, { patchId: patch.id }))
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, group)
  states.push(await explain(computer, { patchId: patch.id }))
  await sql`update patch_links set approved_at = now() where patch_id = ${patch.id}`.execute(db)
  states.push(await explain(computer, { patchId: patch.id }))

  expect(states.map(({ verdict, blockers }) => [verdict, ...blockers.map(({ reason }) => reason)])).toEqual([
    ['Waiting', 'NoScan'],
    ['NotAssigned', 'NotAssigned'],
    ['Waiting', 'NotApproved'],
    ['Waiting', 'NoFixWork'],
  ])
  expect(states[3]?.sources).toMatchObject([{ kind: 'PmGroup', objectId: String(pmGroup.id), groupId: group.id }])
})

test('an operating system shows everything that its installation lacks', async () => {
  const { computer, group } = await placedAgent()
  const none = await explain(computer, { operatingSystem: true })
  const image = await given.osImage({ is_operational: false })
  const sku = await db
    .selectFrom('os_image_skus')
    .select('id')
    .where('package_id', '=', image.id)
    .executeTakeFirstOrThrow()
  await given.assignment(group, sku, 'osImageSku')
  const assigned = await explain(computer, { operatingSystem: true })

  expect([none.verdict, ...reasonsIn(none)]).toEqual(['NotAssigned', 'NoOsImageSku', 'NoPxeBootImage'])
  expect(assigned).toMatchObject({ verdict: 'NotActivated', subject: { kind: 'OperatingSystem', id: image.id } })
  expect(reasonsIn(assigned)).toEqual(expect.arrayContaining(['NoPxeBootImage', 'NotReleased', 'NotActivated']))
})
