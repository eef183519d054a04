import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listComputerEvents } from '../../src/features/fleet/api/list-computer-events.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { approvePackageRequest } from '../../src/features/self-service/api/approve-package-request.ts'
import { declinePackageRequest } from '../../src/features/self-service/api/decline-package-request.ts'
import { listPackageRequests } from '../../src/features/self-service/api/list-package-requests.ts'
import { maxPendingRequests } from '../../src/features/self-service/record-choices.ts'
import { sequenceAll } from '../events/read-log.ts'
import { openSelfServiceWorld } from './self-service-world.ts'

const { as, computerWithUser, db, given, readyPackage, state } = await openSelfServiceWorld()

const administrator = as('activation.execute', 'group.write', 'computer.read')

/** The requests of a computer, as administrators see them. */
async function requestsOf({ id }: { id: number }) {
  return (await administrator.call(listPackageRequests, { query: { computerId: id } })).body.items
}

async function pendingRequest(wish = 'An editor') {
  const computer = await computerWithUser()
  await computer.ask(wish, 'For forms')
  const [request] = await requestsOf(computer)
  return { computer, id: request?.requestId ?? '' }
}

test('what a user asks for waits for an administrator', async () => {
  const { computer } = await pendingRequest('A PDF editor')

  expect(await requestsOf(computer)).toMatchObject([
    { wish: 'A PDF editor', reason: 'For forms', userName: 'mia', state: 'Pending', packageId: null, decidedBy: null },
  ])
  expect((await computer.look()).requests).toMatchObject([{ wish: 'A PDF editor', user: 'mia', state: 'Pending' }])
})

test('an approved request brings the package to the computer at its next contact, and to no other', async () => {
  const { computer, id } = await pendingRequest()
  const [other, pack] = [await computerWithUser(), await readyPackage()]

  const approved = await administrator.call(approvePackageRequest, {
    params: { id },
    body: { packageId: pack.id, answer: 'Enjoy.' },
  })

  expect(approved).toMatchObject({ status: 200, body: { state: 'Approved', packageId: pack.id, answer: 'Enjoy.' } })
  expect((await computer.contact()).body.work).toMatchObject([{ kind: 'Install', package: { packageId: pack.id } }])
  expect((await other.contact()).body.work).toEqual([])
  expect((await computer.look()).requests).toMatchObject([{ state: 'Approved', answer: 'Enjoy.' }])
})

test('an approval publishes nothing but the package', async () => {
  const { computer, id } = await pendingRequest()
  const [group, waiting, pack] = [await given.group(), await readyPackage(), await readyPackage()]
  await given.member(group, computer)
  await given.assignment(group, waiting, 'package')

  await administrator.call(approvePackageRequest, { params: { id }, body: { packageId: pack.id } })

  expect((await computer.contact()).body.work.map((item) => item.package?.packageId)).toEqual([pack.id])
})

test('computers that get the same package by a request share a group, and leaving it takes the package back', async () => {
  const pack = await readyPackage()
  const [one, other] = [await pendingRequest(), await pendingRequest()]
  for (const { id } of [one, other])
    await administrator.call(approvePackageRequest, { params: { id }, body: { packageId: pack.id } })
  const { rows } = await sql<{ id: string; path: string; members: number[] }>`
    select groups.id, path, array_agg(computer_id order by computer_id) as members
    from groups join group_packages on group_packages.group_id = groups.id join group_computers on group_computers.group_id = groups.id
    where package_id = ${pack.id} group by groups.id`.execute(db)
  const [group] = rows

  await as('group.write').call(removeGroupComputers, {
    params: { id: group?.id ?? '' },
    query: { computerIds: [one.computer.id] },
  })

  expect(rows).toMatchObject([
    { path: expect.stringMatching(/Requested software\/package/), members: [one.computer.id, other.computer.id] },
  ])
  expect((await one.computer.contact()).body.work).toEqual([])
  expect((await other.computer.contact()).body.work).toHaveLength(1)
})

test('a declined request says why, and brings nothing', async () => {
  const { computer, id } = await pendingRequest()

  const declined = await administrator.call(declinePackageRequest, {
    params: { id },
    body: { answer: 'Too expensive.' },
  })

  expect(declined).toMatchObject({ status: 200, body: { state: 'Declined', answer: 'Too expensive.' } })
  expect((await computer.look()).requests).toMatchObject([{ state: 'Declined', answer: 'Too expensive.' }])
  expect((await computer.contact()).body.work).toEqual([])
})

test('a request is decided once', async () => {
  const { id } = await pendingRequest()
  const pack = await readyPackage()
  await administrator.call(declinePackageRequest, { params: { id }, body: { answer: 'No.' } })

  const approved = await administrator.call(approvePackageRequest, { params: { id }, body: { packageId: pack.id } })
  const declined = await administrator.call(declinePackageRequest, { params: { id }, body: { answer: 'No.' } })

  expect([approved, declined]).toMatchObject([
    { status: 409, problem: 'PackageRequestDecided' },
    { status: 409, problem: 'PackageRequestDecided' },
  ])
})

test('who may activate but not change groups cannot approve', async () => {
  const { computer, id } = await pendingRequest()
  const pack = await readyPackage()

  const refused = await as('activation.execute').call(approvePackageRequest, {
    params: { id },
    body: { packageId: pack.id },
  })

  expect(refused.status).toBe(403)
  expect(await requestsOf(computer)).toMatchObject([{ state: 'Pending' }])
})

test('a package that is assigned to the computer is published there, without another group', async () => {
  const { computer, id } = await pendingRequest()
  const [group, pack] = [await given.group(), await readyPackage()]
  await given.member(group, computer)
  await given.assignment(group, pack, 'package')

  const approved = await as('activation.execute').call(approvePackageRequest, {
    params: { id },
    body: { packageId: pack.id },
  })
  const groups = await db.selectFrom('group_packages').select('group_id').where('package_id', '=', pack.id).execute()

  expect(approved.status).toBe(200)
  expect((await computer.contact()).body.work).toMatchObject([{ package: { packageId: pack.id } }])
  expect(groups).toEqual([{ group_id: group.id }])
})

test('a package that is for another operating system is refused, and the request waits', async () => {
  const { computer, id } = await pendingRequest()
  await db.updateTable('computers').set({ os_name: 'Debian GNU/Linux 12' }).where('id', '=', computer.id).execute()
  const pack = await readyPackage({ operating_systems: ['Windows'] })

  const refused = await administrator.call(approvePackageRequest, { params: { id }, body: { packageId: pack.id } })

  expect(refused).toMatchObject({ status: 409, problem: 'PackageNotApplicable' })
  expect(await requestsOf(computer)).toMatchObject([{ state: 'Pending' }])
})

test('an operating system cannot be given by a request', async () => {
  const { id } = await pendingRequest()
  const { id: packageId } = await given.osImage()

  expect(await administrator.call(approvePackageRequest, { params: { id }, body: { packageId } })).toMatchObject({
    status: 409,
    problem: 'WrongEndpointForType',
  })
})

test('a computer cannot fill the list of requests', async () => {
  const computer = await computerWithUser()
  const outcomes: string[] = []
  for (let round = 0; round < maxPendingRequests + 3; round++)
    outcomes.push((await computer.ask(`Wish ${round}`)).body.choices[0]?.outcome ?? '')

  expect(outcomes.slice(0, maxPendingRequests)).toEqual(Array(maxPendingRequests).fill('Recorded'))
  expect(outcomes.slice(maxPendingRequests)).toEqual(['TooMany', 'TooMany', 'TooMany'])
  expect(await requestsOf(computer)).toHaveLength(maxPendingRequests)
})

test('decisions do not make room for more than a day allows', async () => {
  const computer = await computerWithUser()
  const outcomes: string[] = []
  for (let round = 0; round < 25; round++) {
    outcomes.push((await computer.ask(`Wish ${round}`)).body.choices[0]?.outcome ?? '')
    await sql`
      update package_requests set state = 'Declined', decided_at = now()
      where computer_id = ${computer.id} and state = 'Pending'`.execute(db)
  }

  expect(outcomes.filter((outcome) => outcome === 'Recorded')).toHaveLength(20)
})

test('a choice that is reported twice, and the same wish in other letters, count once', async () => {
  const computer = await computerWithUser()
  const choice = { choiceId: randomUUID(), kind: 'Requested', wish: 'An editor' }

  const first = await computer.report(choice)
  const again = await computer.report(choice, { kind: 'Requested', wish: 'AN EDITOR' })

  expect([first, again].flatMap(({ body }) => body.choices.map(({ outcome }) => outcome))).toEqual(
    Array(3).fill('Recorded'),
  )
  expect(await requestsOf(computer)).toHaveLength(1)
})

test('what users have taken, postponed and asked for is in the history of the computer', async () => {
  const computer = await computerWithUser()
  const pack = await readyPackage()
  const untilUtc = '2099-01-01T00:00:00.000Z'

  await computer.report(
    { kind: 'Taken', packageId: pack.id },
    { kind: 'Postponed', untilUtc },
    { kind: 'Requested', wish: 'An editor' },
  )
  await sequenceAll(db)
  const events = await as('computer.read').call(listComputerEvents, {
    params: { id: computer.id },
    query: { types: 'muster.user.*,muster.package-request.*' },
  })

  expect(events.body.items.map(({ type, data }) => ({ type, ...(data as object) }))).toMatchObject([
    { type: 'muster.package-request.made', userName: 'mia', wish: 'An editor' },
    { type: 'muster.user.postponed-work', userName: 'mia', untilUtc },
    { type: 'muster.user.took-package', userName: 'mia', packageId: pack.id, packageName: pack.name },
  ])
})

test('choices of a package that does not exist, and from the future, are recorded without it and as of now', async () => {
  const computer = await computerWithUser()

  const reported = await computer.report({
    ...{ kind: 'Taken', packageId: randomUUID(), atUtc: '2099-01-01T00:00:00.000Z' },
  })
  const stored = await db
    .selectFrom('user_choices')
    .select(['package_id', sql<boolean>`chosen_at <= now()`.as('is_past')])
    .where('computer_id', '=', computer.id)
    .execute()

  expect(reported.body.choices).toMatchObject([{ outcome: 'Recorded' }])
  expect(stored).toEqual([{ package_id: null, is_past: true }])
})

test.each([
  [{ kind: 'Taken' }],
  [{ kind: 'Postponed' }],
  [{ kind: 'Requested' }],
  [{ kind: 'Requested', wish: '' }],
  [{ kind: 'Requested', wish: 'x'.repeat(201) }],
  [{ kind: 'Postponed', untilUtc: 'soon' }],
])('the choice %j is refused', async (choice) => {
  const computer = await computerWithUser()

  expect((await computer.report(choice)).status).toBe(400)
})

test('an installed package that was requested is shown as installed', async () => {
  const { computer, id } = await pendingRequest()
  const pack = await readyPackage()
  await administrator.call(approvePackageRequest, { params: { id }, body: { packageId: pack.id } })
  const [item] = (await computer.contact()).body.work
  await computer.reportResult(item?.workId ?? 0, { installationState: 'Installed' })

  expect(await state.deployment(computer, pack)).toMatchObject({ status: 'Success' })
  expect((await computer.look()).software).toMatchObject([{ packageId: pack.id, state: 'Installed' }])
})
