import { createMusterClient, type Send } from '@muster/client'
import { expect, test } from 'vitest'
import { listTags } from '../../server/src/features/tags/api/list-tags.ts'
import { openClientWorld } from './client-world.ts'

const { address, credentials, as } = await openClientWorld()

/** Sends requests, and counts them. `disturb` may replace the response of the first ones. */
function disturbed(disturb: (attempt: number, response: Response) => Response | undefined) {
  const sent: Request[] = []
  const send: Send = async (request) => {
    const copy = request.clone()
    const response = await fetch(request)
    if (new URL(copy.url).pathname === '/api/auth/token') return response
    sent.push(copy)
    const replaced = disturb(sent.length, response)
    if (replaced) return replaced
    throw new TypeError('fetch failed')
  }
  return { sent, send }
}

const busy = () => Response.json({ code: 'DatabaseBusy', detail: 'Too much to do.' }, { status: 503 })

test('a change whose response is lost is repeated and takes effect once', async () => {
  const { sent, send } = disturbed((attempt, response) => (attempt === 1 ? undefined : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })

  const { data } = await client.POST('/api/tags', { body: { designation: 'Created once', description: null } })

  const { body } = await as('package.read').call(listTags)
  expect(sent).toHaveLength(2)
  expect(body.items.filter(({ designation }) => designation === 'Created once')).toMatchObject([{ id: data?.id }])
})

test('a change with the version that it is based on is repeated while the service is busy', async () => {
  const { sent, send } = disturbed((attempt, response) => (attempt === 2 ? busy() : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })
  const { response } = await client.GET('/api/blast-radius')

  const header = { 'If-Match': response.headers.get('etag') ?? '' }
  const change = client.PUT('/api/blast-radius', { params: { header }, body: { apiQuota: 90, consoleQuota: 90 } })

  // The first attempt has been carried out, so the second one finds another version and overwrites nothing.
  await expect(change).rejects.toMatchObject({ code: 'PreconditionFailed' })
  expect(sent).toHaveLength(3)
})
