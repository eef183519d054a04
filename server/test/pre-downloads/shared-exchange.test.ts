import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { listPreDownloads } from '../../src/features/pre-downloads/api/list-pre-downloads.ts'
import { exchangePreDownloads } from '../../src/features/pre-downloads/exchange-pre-downloads.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const { agent, as, db, readyPackage, work } = await openAgentWorld()

test('an agent cannot report about the work of another computer, even if both share a statement', async () => {
  const content_hash = randomBytes(32)
  const software = await readyPackage({ content_hash })
  const [owner, liar, other] = [await agent(), await agent(), await agent()]
  const workId = await work(owner, software, { not_before: new Date(Date.now() + 3_600_000), pre_download: true })
  const contentHash = content_hash.toString('hex')
  const lie = { workId, contentHash, state: 'Ready' as const, fetchedBytes: 1, message: null }

  // The first runs alone, and the others, which come while it runs, together.
  const [, ofLiar, ofOwner] = await Promise.all([
    exchangePreDownloads(db, { clientId: other.id, reports: [] }),
    exchangePreDownloads(db, { clientId: liar.id, reports: [lie] }),
    exchangePreDownloads(db, { clientId: owner.id, reports: [] }),
  ])

  expect([ofLiar, ofOwner.map(({ work_id }) => work_id)]).toEqual([[], [workId]])
  const { body } = await as('computer.read').call(listPreDownloads, { query: { packageId: software.id } })
  expect(body).toEqual([expect.objectContaining({ total: 1, ready: 0, waiting: 1 })])
})
