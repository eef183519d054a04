import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getUemAgent } from '../../src/features/agents/api/get-uem-agent.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { explainGroup } from '../../src/features/explain/api/explain-group.ts'
import { getComputerPage } from '../../src/features/fleet/api/get-computer-page.ts'
import { minutesFromNow, openExplainWorld, reasonsIn } from './explain-world.ts'

const { agent, as, db, explain, given, placedAgent, readyPackage, request, work } = await openExplainWorld()

const activate = (computer: { id: number }, group: { id: string }) =>
  db.insertInto('activations').values({ computer_id: computer.id, group_id: group.id, software: true }).execute()

test('a package that no group assigns is explained as not assigned', async () => {
  const { computer } = await placedAgent()

  const answer = await explain(computer, { packageId: (await readyPackage()).id })

  expect(answer).toMatchObject({ verdict: 'NotAssigned', sources: [], options: null, work: null })
  expect(reasonsIn(answer)).toEqual(['NotAssigned'])
})

test('an assigned package shows its path through the groups, what it beats, and that an activation is missing', async () => {
  const { computer, parent, group } = await placedAgent()
  const software = await readyPackage({ is_operational: false })
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.member(other, computer)
  for (const one of [parent, group]) await given.assignment(one, software, 'package')
  await given.assignment(other, await given.softwareClass({ packages: [software] }), 'softwareClass')
  const options = {
    group_id: parent.id,
    package_id: software.id,
    dist_commands: 1,
    schedule: 'FROM=2099-01-01T00:00:00Z',
  }
  await db.insertInto('distribution_options').values(options).execute()

  const answer = await explain(computer, { packageId: software.id })

  expect(answer.verdict).toBe('NotActivated')
  expect(reasonsIn(answer)).toEqual(['NotActivated', 'NotReleased', 'OutsideWindow'])
  expect(answer.blockers.at(-1)?.untilUtc).toBe('2099-01-01T00:00:00.000Z')
  expect(answer.sources).toMatchObject([
    { groupId: group.id, beatenBy: null, through: [group.path] },
    { groupId: other.id, kind: 'SoftwareClass', beatenBy: 'ConfigurationTree' },
    { groupId: parent.id, beatenBy: 'NearerGroup', through: [group.path, parent.path] },
  ])
  expect(answer.options).toMatchObject({ source: 'Package', groupId: parent.id, commands: ['Install'] })
})

test('assigned work shows everything that blocks it, first what somebody has to resolve, then what ends by itself', async () => {
  const { computer } = await placedAgent()
  const runtime = await readyPackage({ package_name: 'runtime that is missing' })
  const software = await readyPackage({ hash_state: 'Mismatch', requires: ['runtime that is missing'] })
  const postponed = minutesFromNow(30)
  const workId = await work(computer, software, { not_before: postponed, delayed_by: 'User', postponements: 1 })
  const until = minutesFromNow(90)
  await computer.contact({ suspension: { mode: 'PresentationMode', untilUtc: until.toISOString() } })

  const blocked = await explain(computer, { packageId: software.id })
  await db.updateTable('packages').set({ hash_state: 'Current' }).where('id', '=', software.id).execute()
  await db
    .insertInto('deployments')
    .values({ computer_id: computer.id, package_id: runtime.id, installation_state: 'Installed' })
    .execute()
  const waiting = await explain(computer, { packageId: software.id })

  expect(blocked).toMatchObject({
    verdict: 'Waiting',
    nextRunUtc: null,
    work: { workId, kind: 'Install', state: 'Due', postponements: 1 },
    blockers: [
      { reason: 'HashMismatch', untilUtc: null },
      { reason: 'RequirementMissing', packages: ['runtime that is missing'] },
      { reason: 'Postponed', untilUtc: postponed.toISOString() },
      { reason: 'AgentSuspended', untilUtc: until.toISOString() },
    ],
  })
  expect(waiting).toMatchObject({ verdict: 'Waiting', nextRunUtc: until.toISOString() })
})

test('a retried package waits for the retry, then it is due, then the agent has it, then it is installed', async () => {
  const { computer, group } = await placedAgent()
  const software = await readyPackage()
  await given.assignment(group, software, 'package')
  const workId = await work(computer, software)
  const verdicts = [await explain(computer, { packageId: software.id })]
  await computer.contact()
  verdicts.push(await explain(computer, { packageId: software.id }))
  await computer.report(workId, { status: 'Failed', exitCode: 1603 })
  verdicts.push(await explain(computer, { packageId: software.id }))
  await sql`update work set not_before = now() where id = ${workId}`.execute(db)
  await computer.contact()
  await computer.report(workId, { attempt: 2 })
  verdicts.push(await explain(computer, { packageId: software.id }))

  expect(verdicts.map(({ verdict, blockers }) => [verdict, ...blockers.map(({ reason }) => reason)])).toEqual([
    ['Due'],
    ['Running', 'AlreadyLeased'],
    ['Waiting', 'RetryLater'],
    ['Installed'],
  ])
  expect(verdicts[2]?.failure?.errorText).toContain('1603')
})

test('the next run is at the next contact, or when the agent comes back for it, and never in the past', async () => {
  const { computer, group } = await placedAgent()
  const software = await readyPackage()
  await given.assignment(group, software, 'package')
  const lastSeen = minutesFromNow(-10)
  await db
    .updateTable('computer_contacts')
    .set({ last_seen_at: lastSeen })
    .where('computer_id', '=', computer.id)
    .execute()
  const regular = new Date(lastSeen.getTime() + 60 * 60_000)
  const workId = await work(computer, software)
  const expected = async (changes: { not_before: Date; created_at: Date }) => {
    await db.updateTable('work').set(changes).where('id', '=', workId).execute()
    const { nextRunUtc, nextContactUtc } = await explain(computer, { packageId: software.id })
    return [nextRunUtc, nextContactUtc]
  }
  const [before, after] = [minutesFromNow(-20), minutesFromNow(-5)]
  const [soon, late] = [minutesFromNow(30), minutesFromNow(90)]
  const found = {
    due: await expected({ not_before: before, created_at: before }),
    knownSoon: await expected({ not_before: soon, created_at: before }),
    unknownSoon: await expected({ not_before: soon, created_at: after }),
    unknownLater: await expected({ not_before: late, created_at: after }),
  }
  await expected({ not_before: after, created_at: after })
  const params = { id: computer.id }
  const { work: item } = await explain(computer, { packageId: software.id })
  const reader = as('computer.read')
  const elsewhere = [
    (await reader.call(getUemAgent, { params })).body.pollingWindows.nextContactExpectedUtc,
    (await reader.call(getComputerPage, { params })).body.nextContactUtc,
    (await reader.call(getTask, { params: { trackingId: item?.trackingId ?? '' } })).body.actions.items[0]
      ?.nextContactUtc,
  ]
  await sql`update computer_contacts set last_seen_at = last_seen_at - interval '1 hour' where computer_id = ${computer.id}`.execute(
    db,
  )
  const overdue = await expected({ not_before: after, created_at: after })

  const [atRegular, atSoon, atLate] = [regular, soon, late].map((time) => time.toISOString())
  expect(found).toEqual({
    due: [atRegular, atRegular],
    knownSoon: [atSoon, atSoon],
    unknownSoon: [atRegular, atRegular],
    unknownLater: [atLate, atRegular],
  })
  expect(elsewhere).toEqual([atRegular, atRegular, atRegular])
  expect(overdue).toEqual([null, new Date(regular.getTime() - 3_600_000).toISOString()])
})

test('a requested reboot and a limited number of items come before other work', async () => {
  const { computer } = await placedAgent()
  const packages = []
  for (let count = 0; count < 21; count++) packages.push(await readyPackage())
  for (const one of packages) await work(computer, one)
  const last = packages.at(-1)?.id
  const tooMany = await explain(computer, { packageId: last })
  const task = await db.insertInto('tasks').values({ kind: 'Reboot' }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('work')
    .values({ computer_id: computer.id, task_id: task.id, kind: 'Power', power_action: 'Reboot' })
    .execute()

  expect(reasonsIn(tooMany)).toEqual(['TooManyItems'])
  expect(reasonsIn(await explain(computer, { packageId: packages[0]?.id }))).toEqual(['RebootFirst'])
})

test('another version of the same software is shown, and so is a pending reboot', async () => {
  const { computer } = await placedAgent()
  const [old, current] = [
    await readyPackage({ package_name: 'editor of all', version: '1' }),
    await readyPackage({ package_name: 'Editor of all', version: '2' }),
  ]
  await db
    .insertInto('deployments')
    .values({ computer_id: computer.id, package_id: old.id, installation_state: 'Installed' })
    .execute()
  await computer.contact({ rebootRequired: true, rebootRequiredSource: 'linux-image' })

  expect(await explain(computer, { packageId: current.id })).toMatchObject({
    otherVersions: [{ packageId: old.id, version: '1', installed: true, assigned: false }],
    notices: [
      {
        reason: 'RebootRequired',
        message: 'The computer needs a reboot after linux-image. No patch policy restarts it.',
      },
    ],
  })
})

test('computers without an agent and computers with a silent one are explained as such', async () => {
  const [computer, silent] = [await given.computer(), await agent()]
  await silent.contact()
  const software = await readyPackage()
  for (const one of [computer, silent]) await work(one, software)
  await sql`update computer_contacts set last_seen_at = now() - interval '9 days' where computer_id = ${silent.id}`.execute(
    db,
  )

  expect(reasonsIn(await explain(computer, { packageId: software.id }))).toEqual(['NoAgent'])
  expect(reasonsIn(await explain(silent, { packageId: software.id }))).toEqual(['AgentSilent'])
})

test('a request without a subject, or with two, is refused', async () => {
  const { computer } = await placedAgent()

  const answers = [await request(computer, {}), await request(computer, { patchId: 1, setting: 'x' })]

  expect(answers.map(({ status }) => status)).toEqual([400, 400])
})

test('a group counts the computers that wait for a package, by reason', async () => {
  const group = await given.group()
  const software = await readyPackage({ requires: ['runtime that nobody has'] })
  await given.assignment(group, software, 'package')
  const computers = await Promise.all(Array.from({ length: 6 }, async () => agent()))
  for (const computer of computers) {
    await computer.contact()
    await given.member(group, computer)
  }
  const [waiting, postponed, running, installed, failed] = computers
  if (!waiting || !postponed || !running || !installed || !failed) throw new Error('There are six computers.')
  await work(waiting, software)
  const until = minutesFromNow(30)
  await work(postponed, software, { not_before: until, delayed_by: 'User' })
  const lease = { state: 'Leased', attempt: 1, leased_until: minutesFromNow(10), run_id: running.runId, progress: 10 }
  await work(running, software, lease)
  const result = { package_id: software.id, installation_state: 'Installed', result: 'Success' }
  await db
    .insertInto('deployments')
    .values({ ...result, computer_id: installed.id })
    .execute()
  await db
    .insertInto('deployments')
    .values({ package_id: software.id, result: 'Failed', computer_id: failed.id })
    .execute()
  await activate(failed, group)

  const { body } = await as('group.read').call(explainGroup, {
    params: { id: group.id },
    query: { packageId: software.id },
  })

  expect(body).toMatchObject({
    installed: 1,
    running: 1,
    due: 0,
    waiting: 2,
    failed: 1,
    notActivated: 1,
    nothingToDo: 0,
    reasons: [
      { reason: 'RequirementMissing', computers: 2, first: 2, earliestEndUtc: null },
      { reason: 'Postponed', computers: 1, first: 0 },
    ],
  })
  expect(Date.parse(body.reasons[1]?.latestEndUtc ?? '')).toBeGreaterThanOrEqual(until.getTime())
})
