import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { depotChannel } from '../../../src/channels/depot/index.ts'
import { machineChannels } from '../../../src/channels/index.ts'
import { sections as apiSections } from '../../../src/features/index.ts'
import { apiChannel, type DocumentedChannel } from '../../../src/platform/openapi/channel.ts'
import { openWorld } from '../../world/open-world.ts'
import { extensionOperations } from './extension-operations.ts'
import { withoutRole } from './without-role.ts'

type Content = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Described = {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  'x-required-role'?: string
  'x-muster-extension'?: boolean
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content?: Record<string, Content> }>
}
type Document = {
  openapi: string
  info: { title: string }
  paths: Record<string, Record<string, Described>>
  components: { schemas: object; securitySchemes: object }
}

const production = await openWorld()

async function read({ address }: DocumentedChannel): Promise<{ document: Document; operations: Described[] }> {
  const document = (await production.withToken(undefined).send({ method: 'GET', url: address })).body as Document
  return { document, operations: Object.values(document.paths).flatMap((methods) => Object.values(methods)) }
}

const channels = [apiChannel(apiSections), ...machineChannels]
const documents = await Promise.all(channels.map(async (channel) => ({ ...channel, ...(await read(channel)) })))

describe.each(documents)('the document $address', ({ address, sections, title, document, operations }) => {
  test(`the document ${address} can be read without a token`, () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title } })
  })

  test(`the document ${address} lists every operation of its channel, and nothing else`, () => {
    const declared = sections.flatMap((section) => section.operations.map(({ id }) => id))

    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(declared.sort())
  })

  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  /** Most operations share the schemas of their problems. */
  const compile = (schema: string) => {
    const check = compiled.get(schema) ?? ajv.compile(JSON.parse(schema))
    compiled.set(schema, check)
    return check
  }

  test.each(operations)('the examples of $operationId match their schemas', ({ requestBody, responses }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))

    for (const { schema, example, examples } of contents) {
      const check = compile(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
      for (const value of examples ? Object.values(examples).map((one) => one.value) : [example])
        expect(check(value), ajv.errorsText(check.errors)).toBe(true)
    }
  })
})

const { document, operations } = await read(apiChannel(apiSections))

test('every operation of the API has its role in the document', () => {
  for (const { security, 'x-required-role': role, operationId } of operations)
    if (!withoutRole.has(operationId)) {
      expect(role).toBeTypeOf('string')
      expect(security[0]).toEqual({ clientCredentials: [role] })
    }
})

test('an operation for machines requires a credential, and has neither a role nor parameters that only apply to principals', async () => {
  const depot = await read(depotChannel)

  expect(Object.keys(depot.document.components.securitySchemes)).toEqual(['credential'])
  for (const described of depot.operations) {
    expect(described).toMatchObject({ security: [{ credential: [] }] })
    expect(described).not.toHaveProperty('x-required-role')
    expect(described.responses).not.toHaveProperty('403')
    expect(JSON.stringify(described)).not.toContain('Idempotency')
  }
})

test('an operation that answers with a file documents ranges', async () => {
  const { document } = await read(depotChannel)
  const described = document.paths['/depot/v1/packages/{id}/files/{sha256}']?.get

  expect(Object.keys(described?.responses ?? {})).toEqual(expect.arrayContaining(['200', '206', '416']))
  expect(described?.responses[206]).toMatchObject({
    headers: { ETag: {}, 'Accept-Ranges': {}, 'Content-Range': {} },
    content: { 'application/octet-stream': {} },
  })
})

test('operations that are not part of the contract are marked as extensions', () => {
  const extensions = operations
    .filter((operation) => operation['x-muster-extension'])
    .map(({ operationId }) => operationId)

  expect(extensions).toEqual(extensionOperations)
})

test('an operation that answers without the database documents both its answers and no problem of the database', () => {
  const { responses } = document.paths['/health/ready']?.get ?? {}

  expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['200', '503']))
  expect(responses?.[503]).toMatchObject({ headers: { 'Retry-After': {} }, content: { 'application/json': {} } })
  expect(responses?.[503]).not.toHaveProperty('x-problem-codes')
})

test('schemas have the names of the contract', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([
      'AdminFeatures',
      'Computer',
      'ComputerPatchRequest',
      'ComputerSearchFilter',
      'ComputerWriteRequest',
      'CreateLocalPrincipalRequest',
      'CreateLocalPrincipalResponse',
      'DeviceGroup',
      'LocalPrincipalDto',
      'PagedResultOfComputer',
      'PagedResultOfDeviceGroup',
      'PrincipalDto',
      'ProblemDetails',
      'Rfc6749TokenResponse',
      'RoleDto',
      'SetRevokedRequest',
      'UpdateLocalPrincipalRequest',
      'UpdatePrincipalRequest',
      'UpsertPrincipalRequest',
      'PagedResultOfVariableCollectionEntry',
      'PagedResultOfVariableValue',
      'SetVariableValueRequest',
      'VariableCollectionEntry',
      'VariableCollectionEntryPatchRequest',
      'VariableCollectionEntryRequest',
      'VariableValue',
      'VariableValueSearchFilter',
    ]),
  )
})

test('the interactive reference exists in development mode only, and loads nothing from other hosts', async () => {
  const development = await openWorld({ configuration: { mode: 'development' } })
  const page = (world: typeof production) => world.withToken(undefined).send({ method: 'GET', url: '/scalar/v1' })

  const [served, hidden] = [await page(development), await page(production)]

  expect(served.status).toBe(200)
  for (const { address } of channels) expect(served.raw).toContain(address)
  const { body } = await development
    .withToken(undefined)
    .send({ method: 'GET', url: '/scalar/v1/documents/openapi/v1.json' })
  expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/api/computer': {} } })
  expect(String(served.raw).match(/src="[^"]*"/g)).toEqual(['src="/scalar/v1/js/scalar.js"'])
  expect(hidden.status).toBe(404)
})
