import { expect, test } from 'vitest'
import { openWorld } from '../../world/open-world.ts'

const { as } = await openWorld()

test.each([
  '/api/computer/1e400/uem-agent',
  '/api/computer/-1e400/uem-agent',
  '/api/computer?skip=1e400',
  '/api/computer?top=1e400',
  '/api/computer/issues/low-disk?minFreePercent=1e400',
  '/api/computer/issues/stale-agent?days=1e400',
])('%s is refused as a bad request', async (url) => {
  const { status, problem } = await as('computer.read').send({ method: 'GET', url })

  expect({ status, problem }).toEqual({ status: 400, problem: 'InvalidRequest' })
})
