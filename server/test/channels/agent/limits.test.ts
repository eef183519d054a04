import { expect, test, vi } from 'vitest'
import { awaitCall } from '../../../src/channels/agent/await-call.ts'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { fingerprints } from '../../world/tables.ts'
import { enrolment, openAgentWorld } from './agent-world.ts'

const { agent, app, db, enrolmentToken, given, withToken } = await openAgentWorld({
  enrolmentRateLimit: 4,
  tokenRateLimit: 60,
})
const nobody = withToken(undefined)
// One enrolment of the limit.
const { credential } = await agent()

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

test('refused wake connections count against their machine, which then gets none for a while', async () => {
  const { wakeHub } = app.services
  const recorded = vi.spyOn(wakeHub, 'recordRefusal')
  const wrong = await withToken(credential.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))).call(awaitCall, {})
  const mayTry = vi.spyOn(wakeHub, 'mayTry').mockReturnValue(false)

  const refused = await withToken(credential).call(awaitCall, {})

  expect(wrong.status).toBe(401)
  expect(recorded).toHaveBeenCalledWith('127.0.0.1')
  expect(mayTry).toHaveBeenCalledWith('127.0.0.1')
  expect(refused).toMatchObject({ status: 429, problem: 'TooManyRequests' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})
