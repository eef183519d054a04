import { expect, test } from 'vitest'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { fingerprints } from '../../world/tables.ts'
import { enrolment, openAgentWorld } from './agent-world.ts'

const { db, enrolmentToken, given, withToken } = await openAgentWorld({ enrolmentRateLimit: 3, tokenRateLimit: 60 })
const nobody = withToken(undefined)

test('enrolments from one address are limited and do not count as requests for access tokens', async () => {
  const { token } = await enrolmentToken()
  const { clientId, secret } = await given.localPrincipal()
  const enrol = () => nobody.call(enrolAgent, { body: { ...enrolment(), token } })
  const allowed = [await enrol(), await enrol(), await enrol()]
  const before = await fingerprints(db)

  const refused = await enrol()

  expect(allowed.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(refused).toMatchObject({ status: 429, problem: 'TooManyRequests' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await fingerprints(db)).toEqual(before)
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  expect((await nobody.call(requestToken, { body })).status).toBe(200)
})
