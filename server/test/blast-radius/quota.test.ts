import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { getBlastRadius } from '../../src/features/blast-radius/api/get-blast-radius.ts'
import { listApprovals } from '../../src/features/blast-radius/api/list-approvals.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { browser } from '../web/browser.ts'
import { caller } from '../world/caller.ts'
import { openApprovalWorld, remove } from './approval-world.ts'

const { administrator, app, as, database, db, given, groupWith, principal, setQuota } = await openApprovalWorld()

test('without a quota, programs may do anything, and the console has a quota by default', async () => {
  const group = await groupWith(3)

  const { body } = await administrator().call(getBlastRadius)
  const deleted = await as('group.write').call(deleteGroup, remove(group))

  expect(body).toEqual({ apiQuota: null, consoleQuota: 500 })
  expect(deleted.status).toBe(204)
})

test('each computer that a destructive action affects counts, on every node, until an hour has passed', async () => {
  const { id, call } = await principal('group.write', 'reboot.execute', 'computer.write')
  const otherNode = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => otherNode.http.close())
  const elsewhere = caller(otherNode, await app.services.tokens.issue(id))
  const computer = await given.computer()
  await given.member(await given.group(), computer)
  await setQuota(4)

  const answers = [
    await call(deleteGroup, remove(await groupWith(2))),
    await elsewhere.call(rebootComputer, { params: { id: computer.id } }),
    await call(deleteComputer, { params: { id: computer.id }, query: { force: true } }),
    await elsewhere.call(deleteGroup, remove(await groupWith(1))),
  ]
  await sql`update destructive_actions set happened_at = happened_at - interval '1 hour'`.execute(db)
  const later = await call(deleteGroup, remove(await groupWith(4)))

  expect(answers.map(({ status }) => status)).toEqual([204, 200, 204, 409])
  expect(answers[3]?.raw).toMatchObject({ computerCount: 1, quota: 4, usedInLastHour: 4 })
  expect(later.status).toBe(204)
})

test('requests at the same time cannot exceed the quota together', async () => {
  const { call } = await principal('reboot.execute')
  const computers = await Promise.all(Array.from({ length: 8 }, () => given.computer()))
  const group = await given.group()
  for (const computer of computers) await given.member(group, computer)
  await setQuota(2)

  // Reboots of several computers do not wait for each other.
  const answers = await Promise.all(computers.map(({ id }) => call(rebootComputer, { params: { id } })))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(answers.filter(({ problem }) => problem === 'ApprovalRequired')).toHaveLength(6)
})

test('the quota of one principal does not count for another', async () => {
  await setQuota(2)
  const [first, second] = [await principal('group.write'), await principal('group.write')]

  await first.call(deleteGroup, remove(await groupWith(2)))

  expect((await second.call(deleteGroup, remove(await groupWith(2)))).status).toBe(204)
})

test('an activation counts if it installs operating systems or switches computers off, and only then', async () => {
  const { call } = await principal('activation.execute')
  const group = await groupWith(2)
  await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  const params = { id: group.id }
  await setQuota(0)

  const harmless = await call(activateGroup, { params, body: { software: true } })
  const off = await call(activateGroup, { params, body: { software: true, srl: { action: 'Shutdown' } } })
  const install = await call(activateGroup, { params, body: { pxe: true } })

  expect([harmless.status, off.problem, install.problem]).toEqual([200, 'ApprovalRequired', 'ApprovalRequired'])
})

test('a caller in the console has the quota of the console', async () => {
  const { clientId, secret } = await given.localPrincipal({ roles: ['admin.manage', 'group.write'] })
  const visitor = browser(app)
  await visitor.signIn({ clientId, secret })
  await visitor.session()
  await setQuota(null, 1)

  const refused = await visitor.call(deleteGroup, remove(await groupWith(2)))

  expect(refused.json()).toMatchObject({ code: 'ApprovalRequired', quota: 1 })
})

test('a program cannot sign in with its secret to get the quota of people', async () => {
  const program = browser(app)
  await program.signIn(await given.localPrincipal({ roles: ['group.write'] }))
  await program.session()
  await setQuota(1, 500)

  const refused = await program.call(deleteGroup, remove(await groupWith(2)))

  expect(refused.json()).toMatchObject({ code: 'ApprovalRequired', quota: 1 })
})

test('a dry run shows that an approval is required and requests none', async () => {
  const { call } = await principal('group.write')
  await setQuota(0)

  const tried = await call(deleteGroup, remove(await groupWith(1), { dryRun: true }))

  expect(tried).toMatchObject({ status: 409, problem: 'ApprovalRequired', raw: { approvalId: null } })
  expect((await call(listApprovals)).body.items).toEqual([])
})
