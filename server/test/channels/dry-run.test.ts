import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { machineChannels } from '../../src/channels/index.ts'
import { pxeOperations } from '../../src/channels/pxe/index.ts'
import { operations as apiOperations } from '../../src/features/index.ts'
import { type AnyOperation, isForPrincipals } from '../../src/platform/operation.ts'
import { querySchema } from '../../src/platform/pipeline/check-request.ts'
import { webOperations } from '../../src/web/index.ts'
import { listRoutes } from '../world/listed-routes.ts'
import { fingerprints } from '../world/tables.ts'
import { enrolment, openAgentWorld } from './agent/agent-world.ts'

const world = await openAgentWorld()
const { agent, app, db, enrolmentToken, given, withToken } = world

/** Every operation that the application serves. */
const mounted: readonly AnyOperation[] = [
  ...apiOperations,
  ...machineChannels.flatMap(({ sections }) => sections).flatMap((section) => section.operations),
  ...pxeOperations,
  ...webOperations,
]

test('only changes of principals can be tried out, in all channels and on all pages', () => {
  const routes = new Set(listRoutes(app.http, '/'))
  expect(mounted.filter(({ method, path }) => !routes.has(`${method} ${path}`))).toEqual([])

  const tried = mounted.filter((operation) => 'dryRun' in querySchema(operation).properties)

  expect(tried.filter((operation) => !isForPrincipals(operation))).toEqual([])
  expect(tried.length).toBeGreaterThan(50)
})

test('an agent that enrols in a dry run is refused, whatever it knows, and nobody learns whether a computer exists', async () => {
  const { name, domain } = await given.computer()
  const { token } = await enrolmentToken()
  const before = await fingerprints(db)
  const tryOut = (computer: object) => {
    const asked = enrolment()
    const body = { ...asked, token, computer: { ...asked.computer, ...computer } }
    return withToken(undefined).send({ method: 'POST', url: `${enrolAgent.path}?dryRun=true`, payload: body })
  }

  const [known, unknown] = [await tryOut({ name, domain }), await tryOut({})]

  const refused = { status: 400, raw: { errors: [{ in: 'query', name: 'dryRun', reason: 'is unknown' }] } }
  expect([known, unknown]).toMatchObject([refused, refused])
  expect(await fingerprints(db)).toEqual(before)
})

test('an agent that reports a result in a dry run is refused', async () => {
  const { itself } = await agent()

  const refused = await itself.send({
    method: 'PUT',
    url: '/agent/v1/inventory/system?dryRun=true',
    payload: { hash: 'x', content: {} },
  })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'dryRun' }] } })
})
