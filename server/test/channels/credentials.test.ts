import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agentChannel } from '../../src/channels/agent/index.ts'
import { depotChannel } from '../../src/channels/depot/index.ts'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { deleteDepotCredential } from '../../src/features/depots/api/delete-depot-credential.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { revokeAgentCredential } from '../../src/features/enrolment/api/revoke-agent-credential.ts'
import { revokeEnrolmentToken } from '../../src/features/enrolment/api/revoke-enrolment-token.ts'
import { operations as apiOperations } from '../../src/features/index.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { browser } from '../web/browser.ts'
import { maxWaitingRequests } from '../world/lane-queue.ts'
import { listRoutes } from '../world/listed-routes.ts'
import { tableVersions } from '../world/tables.ts'
import { contact } from './agent/agent-world.ts'
import { openFusionWorld } from './fusion/fusion-world.ts'

const world = await openFusionWorld()
const { agent, agentWith, app, as, database, db, enrolmentToken, given } = world
const administrator = as('admin.manage')

/** What a caller presents: a text, which may be sent as a bearer token or in an address, or cookies. */
type Presented = { text?: string; cookie?: string }

async function depotCredential(): Promise<{ clientId: number; credential: string }> {
  const { id: clientId } = await given.computer({ role: 'DepotServer' })
  const created = await administrator.call(createDepotCredential, { params: { clientId } })
  return { clientId, credential: created.body.credential }
}

/** An agent whose credential was replaced by a newer one that it has used. */
async function replacedAgentCredential(): Promise<string> {
  const one = await agent()
  await sql`update agents set secret_issued_at = now() - interval '31 days' where computer_id = ${one.id}`.execute(db)
  const { credential } = (await one.contact({ canRotateCredential: true })).body
  await agentWith({ clientId: one.id, credential: credential ?? '' }).contact()
  return one.credential
}

async function revokedAgentCredential(): Promise<string> {
  const { id, credential } = await agent()
  await administrator.call(revokeAgentCredential, { params: { id } })
  return credential
}

async function replacedDepotCredential(): Promise<string> {
  const { clientId, credential } = await depotCredential()
  await administrator.call(createDepotCredential, { params: { clientId } })
  return credential
}

async function deletedDepotCredential(): Promise<string> {
  const { clientId, credential } = await depotCredential()
  await administrator.call(deleteDepotCredential, { params: { clientId } })
  return credential
}

async function expiredToken(): Promise<string> {
  const { id, token } = await enrolmentToken()
  await sql`update enrolment_tokens set expires_at = now() - interval '1 minute' where id = ${id}`.execute(db)
  return token
}

async function revokedToken(): Promise<string> {
  const { id, token } = await enrolmentToken()
  await administrator.call(revokeEnrolmentToken, { params: { id } })
  return token
}

async function reEnrolmentCode(): Promise<string> {
  const { id } = await agent()
  return (await administrator.call(allowComputerReEnrolment, { params: { id }, body: {} })).body.code
}

async function bootToken(): Promise<string> {
  const { id } = await given.computer()
  return issueBootToken(app.services.keys, { clientId: id, grantId: randomUUID(), imageId: 1, skuId: null })
}

async function sessionCookie(): Promise<string> {
  const visitor = browser(app)
  await visitor.signIn(await given.localPrincipal({ roles: roleNames }))
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

const someAgent = (await agent()).credential
const someDepot = (await depotCredential()).credential

const nobody: Record<string, Presented> = {
  'no credential': {},
  'a wrong text': { text: 'x'.repeat(43) },
  'a wrong credential of an agent': { text: someAgent.replace(/.{8}$/, 'AAAAAAAA') },
  'a wrong credential of a depot': { text: someDepot.replace(/.{8}$/, 'AAAAAAAA') },
  'a replaced credential of an agent': { text: await replacedAgentCredential() },
  'a revoked credential of an agent': { text: await revokedAgentCredential() },
  'a replaced credential of a depot': { text: await replacedDepotCredential() },
  'a deleted credential of a depot': { text: await deletedDepotCredential() },
  'a revoked enrolment token': { text: await revokedToken() },
  'a re-enrolment code': { text: await reEnrolmentCode() },
  'a boot token': { text: await bootToken() },
}
/** It opens nothing to new devices, but those that it has admitted go on: test/channels/fusion. */
const anExpiredToken = { 'an expired enrolment token': { text: await expiredToken() } }
const anAgent = { 'the credential of an agent': { text: someAgent } }
const aDepot = { 'the credential of a depot': { text: someDepot } }
const anEnrolmentToken = { 'an enrolment token': { text: (await enrolmentToken()).token } }
const aPrincipal: Record<string, Presented> = {
  'the access token of a principal with all roles': {
    text: await app.services.tokens.issue((await given.localPrincipal({ roles: roleNames })).id),
  },
  'the session cookie of a principal with all roles': { cookie: await sessionCookie() },
}

/** Who must be refused, by channel. */
const refusedCallers: Record<string, Record<string, Presented>> = {
  '/api': { ...nobody, ...anExpiredToken, ...anAgent, ...aDepot, ...anEnrolmentToken },
  '/agent/v1': { ...nobody, ...anExpiredToken, ...aDepot, ...anEnrolmentToken, ...aPrincipal },
  '/depot/v1': { ...nobody, ...anExpiredToken, ...anAgent, ...anEnrolmentToken, ...aPrincipal },
  '/agent/fusion': { ...nobody, ...anAgent, ...aDepot, ...aPrincipal },
}

const machineOperations = [agentChannel, depotChannel].flatMap(({ sections }) =>
  sections.flatMap((one) => one.operations),
)
const isPublic = new Set(
  [...apiOperations, ...machineOperations]
    .filter(({ role }) => role === 'no token')
    .map(({ method, path }) => `${method} ${path}`),
)

/** 405: the path has no such method. 414: no credential of the channel is that long. */
const closed = [401, 405, 414]

/** All ways to present the credential to a route. */
function requestsFor(route: string, { text, cookie }: Presented) {
  const [method, pattern = ''] = route.split(' ') as ['GET' | 'POST', string]
  const secret = text ?? 'no-secret'
  const url = pattern.replace(/:(secret|token)\b/, secret).replaceAll(/:\w+/g, '1')
  const origin = { 'sec-fetch-site': 'same-origin' }
  const basic = Buffer.from(`muster:${secret}`).toString('base64')
  const headers: Record<string, string>[] = [
    ...(text === undefined ? [] : [{ authorization: `Bearer ${text}` }]),
    ...(text !== undefined && pattern.startsWith('/agent/fusion') ? [{ authorization: `Basic ${basic}` }] : []),
    ...(cookie === undefined ? [] : [{ ...origin, cookie }]),
  ]
  // The contact checks the credential in its own statement, after the body.
  const body = route === 'POST /agent/v1/contact' ? { payload: contact() } : {}
  return (headers.length > 0 ? headers : [{}]).map((one) => ({ method, url, headers: one, ...body }))
}

const closedRoutes = (channel: string) =>
  listRoutes(app.http, `${channel}/`).filter((route) => !isPublic.has(route) && !/^(HEAD|OPTIONS) /.test(route))

test.each(
  Object.entries(refusedCallers).flatMap(([channel, callers]) =>
    Object.entries(callers).map(([name, one]) => [channel, name, one] as const),
  ),
)('%s is closed to %s, on every route', async (channel, _name, presented) => {
  const routes = closedRoutes(channel)
  const before = await tableVersions(db)

  const entered: string[] = []
  for (const route of routes)
    for (const request of requestsFor(route, presented)) {
      const { statusCode } = await app.http.inject(request)
      if (!closed.includes(statusCode)) entered.push(`${statusCode} ${route}`)
    }

  expect(routes.length).toBeGreaterThan(5)
  expect(entered).toEqual([])
  expect(await tableVersions(db)).toEqual(before)
})

test.each(
  ['/agent/v1', '/depot/v1', '/agent/fusion'].flatMap((channel) =>
    ['a wrong text', 'a wrong credential of an agent', 'a wrong credential of a depot'].map((name) => [channel, name]),
  ),
)('a hundred requests to %s with %s at once do not queue for the connections of machines', async (channel, name) => {
  const presented = refusedCallers[channel]?.[name] ?? {}
  const requests = closedRoutes(channel).flatMap((route) => requestsFor(route, presented))
  const repetitions = Math.ceil(100 / requests.length)

  const waiting = await maxWaitingRequests(database.lanes.machines, () =>
    Promise.all(requests.flatMap((request) => Array.from({ length: repetitions }, () => app.http.inject(request)))),
  )

  expect(requests.length).toBeGreaterThan(5)
  expect(waiting).toBeLessThan(5)
})
