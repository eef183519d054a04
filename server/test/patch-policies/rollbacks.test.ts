import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { listPatchPolicyProgress } from '../../src/features/patch-policies/api/list-patch-policy-progress.ts'
import { listPatchRollbacks } from '../../src/features/patch-policies/api/list-patch-rollbacks.ts'
import { removePatchPolicyAssignment } from '../../src/features/patch-policies/api/remove-patch-policy-assignment.ts'
import { resumePatchOfPolicy } from '../../src/features/patch-policies/api/resume-patch-of-policy.ts'
import { stopPatchOfPolicy } from '../../src/features/patch-policies/api/stop-patch-of-policy.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const { agent, as, db, given, readyPackage } = await openAgentWorld()
const approver = as('pm.approve', 'pm.read')

type Agent = Awaited<ReturnType<typeof agent>>
type Status = 'Missing' | 'Installed'
type Rollback = { patchId: number; productId: number; outcome: 'RolledBack' | 'Refused'; reason?: string }

/** Computers with a fix package and a policy that releases a patch, which all but the last of them have. */
async function fleet() {
  const group = await given.group()
  const fix = await readyPackage({ kind: 'PatchFix' })
  await given.assignment(group, fix, 'package')
  const product = await given.product()
  const key = `openssl ${randomBytes(6).toString('hex')}`
  const patch = await given.patch({ key, products: [product], release_date: '2026-01-05' })
  const { body: policy } = await approver.call(createPatchPolicy, {
    body: { name: `policy ${randomBytes(6).toString('hex')}`, rules: [{ name: 'All', action: 'Approve' }] },
  })
  await approver.call(assignPatchPolicy, { params: { id: policy.id }, body: { groupId: group.id } })
  const [first, second, last] = [await agent(), await agent(), await agent()]
  const path = { id: policy.id, patchId: patch.id }

  const scan = (computer: Agent, status: Status, rollbacks?: Rollback[]) => {
    const patches = [{ key, product: product.name, status }]
    const body = { scannedUtc: new Date().toISOString(), patches, ...(rollbacks && { rollbacks }) }
    return computer.itself.call(putPatchScan, { body })
  }
  /** What the agent of a computer gets when it begins its fix. */
  const begin = async (computer: Agent) => {
    const [item] = (await computer.contact()).body.work
    if (!item) throw new Error('The computer gets no work.')
    const { body } = await computer.start(item.workId, item.attempt)
    return { workId: item.workId, attempt: item.attempt, ...body }
  }

  for (const computer of [first, second, last]) {
    await given.member(group, computer)
    await computer.contact()
    await scan(computer, computer === last ? 'Missing' : 'Installed')
  }
  return {
    ...{ group, patch, product, policy, first, second, last, path, scan, begin },

    /** The agent begins its fix, reports this, and ends the fix. */
    async runFix(computer: Agent, status: Status, rollbacks?: Rollback[]) {
      const { workId, attempt } = await begin(computer)
      await scan(computer, status, rollbacks)
      await computer.report(workId, { attempt })
    },
    answer: (outcome: Rollback['outcome'], reason: string): Rollback[] => [
      { patchId: patch.id, productId: product.id, outcome, reason },
    ],
    stop: (body: { rollBack?: boolean; reason?: string } = {}, query = {}) =>
      approver.call(stopPatchOfPolicy, { params: path, body, query }),
    resume: () => approver.call(resumePatchOfPolicy, { params: path }),
    async progress() {
      const { body } = await approver.call(listPatchPolicyProgress, { params: { id: policy.id } })
      return body.items[0]
    },
    async rollbacks(query = {}) {
      const { body } = await approver.call(listPatchRollbacks, { params: path, query })
      return body.items.map(({ clientId, state, message }) => ({ clientId, state, message }))
    },
    async isFixDue({ id }: Agent) {
      const { rows } = await sql`
        select from work where computer_id = ${id} and package_id = ${fix.id} and state in ('Due', 'Leased')`.execute(
        db,
      )
      return rows.length > 0
    },
  }
}

/** The agents were asked so much earlier. */
const passMinutes = (minutes: number) =>
  sql`update patch_rollbacks set asked_at = asked_at - make_interval(mins => ${minutes})`.execute(db)

test('a stop with a rollback makes the fix package due on computers that have the patch, and on no others', async () => {
  const { first, second, last, stop, isFixDue, begin, patch, product, progress, rollbacks } = await fleet()
  const before = await isFixDue(last)

  const { status } = await stop({ rollBack: true, reason: 'Nobody can sign in' })

  expect([before, status]).toEqual([true, 200])
  expect([await isFixDue(first), await isFixDue(second), await isFixDue(last)]).toEqual([true, true, false])
  expect(await progress()).toMatchObject({
    state: 'Stopped',
    rollback: { waiting: 2, rolledBack: 0, notRolledBack: 0 },
    message: expect.stringMatching(/: Nobody can sign in\. .* still have to: 2\.$/),
  })
  expect(await rollbacks()).toEqual(
    [first, second].map(({ id }) => ({
      clientId: id,
      state: 'Waiting',
      message: 'It waits for the fix package of the computer.',
    })),
  )
  expect(await begin(first)).toMatchObject({
    patches: [],
    rollbacks: [{ patchId: patch.id, productId: product.id, key: patch.key }],
  })
})

test('a stop without a rollback leaves the patch where it is, and a later stop with one rolls it back', async () => {
  const { first, stop, isFixDue, progress, rollbacks } = await fleet()

  await stop({ reason: 'The vendor withdrew it' })
  const kept = { isDue: await isFixDue(first), rollback: (await progress())?.rollback, rollbacks: await rollbacks() }
  const again = await stop()
  const withRollback = await stop({ rollBack: true })

  expect(kept).toEqual({ isDue: false, rollback: null, rollbacks: [] })
  expect([again.status, withRollback.status]).toEqual([409, 200])
  expect(await isFixDue(first)).toBe(true)
  expect((await progress())?.message).toContain('The vendor withdrew it')
})

test('a patch that was rolled back is missing, is not installed again, and its computer is not asked again', async () => {
  const { first, stop, scan, answer, isFixDue, progress, rollbacks, runFix } = await fleet()
  await stop({ rollBack: true })

  await runFix(first, 'Missing', answer('RolledBack', 'Now installed: openssl 3.0.15.'))
  await scan(first, 'Missing')

  expect(await isFixDue(first)).toBe(false)
  expect(await rollbacks({ state: ['RolledBack'] })).toEqual([
    { clientId: first.id, state: 'RolledBack', message: 'Now installed: openssl 3.0.15.' },
  ])
  expect((await progress())?.rollback).toEqual({ waiting: 1, rolledBack: 1, notRolledBack: 0 })
})

test('a computer that cannot roll a patch back says why, and is asked again only after another stop', async () => {
  const { first, patch, stop, scan, answer, isFixDue, rollbacks, runFix } = await fleet()
  await stop({ rollBack: true })
  const reason = 'The version before it, 3.0.15, is no longer in the repositories of this computer, nor in its cache.'

  await runFix(first, 'Installed', answer('Refused', reason))
  await scan(first, 'Installed')
  const shown = await rollbacks({ state: ['NotRolledBack'] })
  const { body: explained } = await as('computer.read').call(explainComputer, {
    params: { id: first.id },
    query: { patchId: patch.id },
  })
  const isAskedAgain = await isFixDue(first)
  await stop({ rollBack: true })

  expect(shown).toEqual([{ clientId: first.id, state: 'NotRolledBack', message: reason }])
  expect(explained.message).toContain(`The patch could not be rolled back: a person has stopped it. ${reason}`)
  expect([isAskedAgain, await isFixDue(first)]).toEqual([false, true])
})

test('an agent that does not answer is asked three times, and again once it has another version', async () => {
  const { first, stop, scan, isFixDue, rollbacks, runFix } = await fleet()
  await stop({ rollBack: true })

  for (let attempt = 1; attempt <= 3; attempt++) {
    expect(await isFixDue(first)).toBe(true)
    await runFix(first, 'Installed')
    await passMinutes(60)
    await scan(first, 'Installed')
  }
  const wasAskedAgain = await isFixDue(first)
  const [shown] = await rollbacks({ state: ['NotRolledBack'] })
  await first.contact({ agentVersion: '0.2.0' })
  await scan(first, 'Installed')

  expect(wasAskedAgain).toBe(false)
  expect(shown).toMatchObject({
    clientId: first.id,
    message: expect.stringContaining('its version 0.1.0 is too old to roll patches back'),
  })
  expect(await isFixDue(first)).toBe(true)
})

test('a rollback counts the computers of the policy that have the patch, and a stop without one counts none', async () => {
  const { stop } = await fleet()

  const wrong = await stop({ rollBack: true }, { expectedCount: 3 })
  const tried = await stop({ rollBack: true }, { dryRun: true })
  const without = await stop({}, { dryRun: true })
  const right = await stop({ rollBack: true }, { expectedCount: 2 })

  expect(wrong).toMatchObject({ status: 409, raw: { expectedCount: 3, actualCount: 2 } })
  expect(tried.headers['muster-affected-computers']).toBe('2')
  expect(without.headers['muster-affected-computers']).toBe('0')
  expect(right.status).toBe(200)
})

test('a resume ends the rollback, and releases the patch again to computers that have rolled it back', async () => {
  const { first, second, stop, resume, scan, answer, begin, isFixDue, progress, rollbacks, runFix, patch } =
    await fleet()
  await stop({ rollBack: true })
  await runFix(first, 'Missing', answer('RolledBack', 'Now installed: openssl 3.0.15.'))

  await resume()
  const isWithdrawn = !(await isFixDue(second))
  await scan(first, 'Missing')

  expect(isWithdrawn).toBe(true)
  expect(await rollbacks()).toEqual([])
  expect((await progress())?.rollback).toBeNull()
  const { rollbacks: asked, patches } = await begin(first)
  expect({ asked, patches: patches.map(({ patchId }) => patchId) }).toEqual({ asked: undefined, patches: [patch.id] })
})

test('a computer keeps a patch that a PM group releases to it, and work ends with the assignment of the policy', async () => {
  const { first, second, group, policy, patch, product, stop, rollbacks, isFixDue } = await fleet()
  const own = await given.group({ tree: 'AssignmentGroups' })
  await given.member(own, first)
  await approver.call(stopPatchOfPolicy, { params: { id: policy.id, patchId: patch.id } })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.id, productId: product.id }] }), own, {
    isTest: true,
  })

  await stop({ rollBack: true })
  const rolledBack = await rollbacks()
  const isDue = [await isFixDue(first), await isFixDue(second)]
  await approver.call(removePatchPolicyAssignment, { params: { id: policy.id, groupId: group.id } })

  expect(rolledBack.map(({ clientId }) => clientId)).toEqual([second.id])
  expect(isDue).toEqual([false, true])
  expect(await isFixDue(second)).toBe(false)
})

test('a computer answers only for itself, and only what it was asked', async () => {
  const { first, second, stop, scan, answer, begin, rollbacks } = await fleet()
  await stop({ rollBack: true })
  await begin(first)

  const other = await scan(second, 'Installed', answer('RolledBack', 'A lie'))
  const unknown = await scan(first, 'Installed', [{ patchId: 2 ** 31 - 1, productId: 1, outcome: 'RolledBack' }])

  expect([other.status, unknown.status]).toEqual([200, 200])
  expect((await rollbacks()).map(({ state }) => state)).toEqual(['Waiting', 'Waiting'])
})

test('a patch that comes back after its rollback is shown as such, and stays', async () => {
  const { first, stop, scan, answer, isFixDue, rollbacks, runFix } = await fleet()
  await stop({ rollBack: true })
  await runFix(first, 'Missing', answer('RolledBack', 'Now installed: openssl 3.0.15.'))

  await scan(first, 'Installed')

  expect(await isFixDue(first)).toBe(false)
  expect(await rollbacks({ state: ['RolledBack'] })).toMatchObject([
    { message: 'It was rolled back, and is installed again: something other than this policy has brought it.' },
  ])
})

test('a fix package that waits for the scan before a rollback says so', async () => {
  const { first, stop } = await fleet()
  await stop({ rollBack: true })
  // As on a computer beyond those that get the work at once.
  await sql`delete from work where computer_id = ${first.id}`.execute(db)

  const { body } = await as('computer.read').call(listSoftwareDeployments, { params: { id: first.id } })

  expect(body.map(({ errorText }) => errorText)).toEqual([
    'Waiting for the next patch scan: a patch is to be rolled back.',
  ])
})
