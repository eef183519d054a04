import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listDistributionEvents } from '../../src/features/deployments/api/history/list-distribution-events.ts'
import { searchDistributionHistory } from '../../src/features/deployments/api/history/search-distribution-history.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)

const computer = await given.computer()
const [reader, writer] = [
  await given.package({ name: 'Acme Reader', version: '11.0.4' }),
  await given.package({ name: 'Acme Writer', version: '11.05' }),
]

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 9, minute))

/** The names are used in the expectations. */
const events = {
  installed: await world.event(computer, reader, {
    logged_at: at(1),
    install_mode: 'Install',
    info: 'msiexec /i Reader_100%.msi',
  }),
  failed: await world.event(computer, writer, { logged_at: at(2), result: 'Failed', install_mode: 'Reinstall' }),
  nameless: await world.event(computer, null, { logged_at: at(3), result: 'Cancelled' }),
}

async function found(body: object, query = {}) {
  const searched = await as('computer.read').call(searchDistributionHistory, { body, query })
  return searched.body.items.map(({ id }) => Object.entries(events).find(([, event]) => event.id === id)?.[0])
}

test.each([
  ['nothing', {}, ['nameless', 'failed', 'installed']],
  ['null and empty texts', { packageName: '', after: null, info: null }, ['nameless', 'failed', 'installed']],
  ['a part of the package name in any case', { packageName: 'me READ' }, ['installed']],
  ['the start of the version', { version: '11.0' }, ['failed', 'installed']],
  ['a longer start of the version', { version: '11.0.' }, ['installed']],
  ['no inner part of the version', { version: '0.4' }, []],
  ['a part of the result', { result: 'fail' }, ['failed']],
  ['a part of the mode', { installMode: 'install' }, ['failed', 'installed']],
  ['a part of the command line, with no wildcards', { info: 'reader_100%' }, ['installed']],
  ['a percent sign that does not occur', { info: 'Reader%msi' }, []],
  ['the time of an event as the earliest', { after: at(2).toISOString() }, ['nameless', 'failed']],
  ['the time of an event as the latest', { before: at(2).toISOString() }, ['failed', 'installed']],
  ['both times', { after: at(2).toISOString(), before: at(2).toISOString() }, ['failed']],
  ['criteria of which one does not match', { packageName: 'Writer', result: 'Success' }, []],
])('the history can be searched by %s', async (_, body, expected) => {
  expect(await found(body)).toEqual(expected)
})

test('the time in a response finds its event, although that was logged within the millisecond', async () => {
  const { id } = await world.event(computer, reader, { result: 'Running' })
  await db
    .updateTable('distribution_events')
    .set({ logged_at: '2026-05-01T10:00:00.123456Z' })
    .where('id', '=', id)
    .execute()
  const search = (body: object) => as('computer.read').call(searchDistributionHistory, { body })
  const [event] = (await search({ result: 'Running' })).body.items

  const time = event?.logDateUtc ?? ''

  expect((await search({ after: time, before: time })).body.items).toEqual([event])
  await db.deleteFrom('distribution_events').where('id', '=', id).execute()
})

test('the search returns consecutive pages', async () => {
  expect(await found({}, { top: 2 })).toEqual(['nameless', 'failed'])
  expect(await found({ installMode: 'install' }, { skip: 1 })).toEqual(['installed'])
})

describe('the events of all computers', () => {
  const administrator = as('computer.read')
  const read = (query: object = {}) => administrator.call(listDistributionEvents, { query })
  const namesOf = ({ body }: Awaited<ReturnType<typeof read>>) =>
    body.items.map(({ id }) => Object.entries(events).find(([, event]) => event.id === id)?.[0])

  test('they are listed with computer and package, newest first and in pages', async () => {
    const first = await read({ limit: 2 })
    const second = await read({ limit: 2, beforeId: first.body.nextBeforeId })

    expect(namesOf(first)).toEqual(['nameless', 'failed'])
    expect(namesOf(second)).toEqual(['installed'])
    expect(second.body.nextBeforeId).toBeNull()
    expect(second.body.items[0]).toMatchObject({
      computerId: computer.id,
      hostname: computer.name,
      packageId: reader.id,
      packageName: 'Acme Reader',
      result: 'Success',
    })
  })

  test.each([
    ['a result', { result: ['Failed'] }, ['failed']],
    ['several results', { result: ['Failed', 'Cancelled'] }, ['nameless', 'failed']],
    ['what was to be done', { installMode: ['Install'] }, ['installed']],
    ['a computer', { computerId: computer.id }, ['nameless', 'failed', 'installed']],
    ['another computer', { computerId: 2_000_000_000 }, []],
    ['a package', { packageId: writer.id }, ['failed']],
    ['a package on a computer', { packageId: writer.id, computerId: computer.id }, ['failed']],
    ['the time of an event as the earliest', { after: at(2).toISOString() }, ['nameless', 'failed']],
    ['the time of an event as the latest', { before: at(2).toISOString() }, ['failed', 'installed']],
    ['both times', { after: at(2).toISOString(), before: at(2).toISOString() }, ['failed']],
    ['a time after all events', { after: at(59).toISOString() }, []],
    ['a time before all events', { before: at(0).toISOString() }, []],
  ])('they can be selected by %s', async (_, query, expected) => {
    expect(namesOf(await read(query))).toEqual(expected)
  })

  test('those of a group are those of the computers in it and below, whether they are few or many', async () => {
    const above = await given.group({ tree: 'AssignmentGroups' })
    const group = await given.group({ tree: 'AssignmentGroups', parent: above })
    const empty = await given.group({ tree: 'AssignmentGroups' })
    await given.member(group, computer)

    expect(namesOf(await read({ groupId: above.id, result: ['Failed'] }))).toEqual(['failed'])
    expect(namesOf(await read({ groupId: empty.id }))).toEqual([])

    await sql`
      with added as (
        insert into computers (name, domain, is_domain, uuid) select 'member-' || n, 'many', true, gen_random_uuid() from generate_series(1, 501) as n returning id
      )
      insert into group_computers (group_id, computer_id, is_exclusive) select ${group.id}, id, false from added`.execute(
      db,
    )

    expect(namesOf(await read({ groupId: above.id, result: ['Failed'] }))).toEqual(['failed'])
    expect(namesOf(await read({ groupId: empty.id }))).toEqual([])
  })

  test('a search for few events among many ends, says how far it got, and continues there', async () => {
    const busy = await given.computer()
    await sql`
      insert into distribution_events (computer_id, result, classification, logged_at)
      select ${busy.id}, 'Success', 'Report', timestamptz '2026-06-01' + n * interval '1 second'
      from generate_series(1, 20000) as n`.execute(db)

    const [first, inTime] = [await read({ result: ['Failed'] }), await read({ before: at(30).toISOString() })]
    const second = await read({ result: ['Failed'], beforeId: first.body.nextBeforeId })

    expect(namesOf(first)).toEqual([])
    expect(first.body.searchedUntilUtc).toBe('2026-06-01T00:00:01.000Z')
    expect(namesOf(second)).toEqual(['failed'])
    // The events of another time are not looked at.
    expect(namesOf(inTime)).toEqual(['nameless', 'failed', 'installed'])
    await db.deleteFrom('distribution_events').where('computer_id', '=', busy.id).execute()
  })
})
