import { expect, test } from 'vitest'
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
