import { expect, test } from 'vitest'
import { operations } from '../../../src/features/index.ts'
import { querySchema } from '../../../src/platform/pipeline/check-request.ts'
import { openWorld } from '../../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('computer.read')

test.each(['top=1&skip=0', 'Top=1&Skip=0', 'TOP=1&SKIP=0'])(
  'parameters are known in any letter case: %s',
  async (query) => {
    await given.computer()
    await given.computer()

    const { status, raw } = await reader.send({ method: 'GET', url: `/api/computer?${query}` })

    expect({ status, raw }).toMatchObject({ status: 200, raw: { top: 1, items: [expect.anything()] } })
  },
)

test.each(['force=true', 'force=True', 'Force=TRUE'])('booleans are known in any letter case: %s', async (query) => {
  const [group, computer] = [await given.group(), await given.computer()]
  await given.member(group, computer)

  const { status } = await as('computer.write').send({ method: 'DELETE', url: `/api/computer/${computer.id}?${query}` })

  expect(status).toBe(204)
})

test('a parameter in two spellings, and a boolean that is none, are refused', async () => {
  const twice = await reader.send({ method: 'GET', url: '/api/computer?top=1&Top=2' })
  const unclear = await as('computer.write').send({ method: 'DELETE', url: '/api/computer/1?force=yes' })

  expect(twice).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'Top' }] } })
  expect(unclear).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'force' }] } })
})

test('no operation has two parameters that differ in letter case only', () => {
  for (const operation of operations) {
    const names = Object.keys(querySchema(operation).properties).map((name) => name.toLowerCase())
    expect(names, operation.id).toHaveLength(new Set(names).size)
  }
})
