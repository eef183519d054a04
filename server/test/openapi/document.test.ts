import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { areas } from '../../src/areas/index.ts'
import { openWorld } from '../world/open-world.ts'

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
type Document = { openapi: string; paths: Record<string, Record<string, Described>>; components: { schemas: object } }

const production = await openWorld()
const document = (await production.withToken(undefined).send({ method: 'GET', url: '/openapi/v1.json' }))
  .body as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

test('everybody can read it', () => {
  expect(document.openapi).toBe('3.1.0')
})

// The contract has literal segments beside parameters, such as /api/packages/import/{trackingId}; the literals win.
const skippedRules = ['--skip-rule=no-ambiguous-paths']

test('it lints without errors and warnings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-openapi-'))
  const file = join(folder, 'v1.json')
  await writeFile(file, JSON.stringify(document))

  const { stdout, stderr } = await promisify(execFile)(
    'npx',
    ['redocly', 'lint', '--format=json', '--extends=recommended', ...skippedRules, file],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' } },
  ).catch((failed: { stdout: string; stderr: string }) => failed)
  await rm(folder, { recursive: true })

  const { totals, problems } = JSON.parse(stdout || stderr)
  expect(problems).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

test('it lists every operation, with its role, and neither /health nor itself', () => {
  const declared = areas.flatMap((area) => area.operations.map(({ id }) => id))

  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(declared.sort())
  expect(Object.keys(document.paths)).not.toContain('/health')
  for (const { security, 'x-required-role': role, operationId } of operations)
    if (operationId !== 'requestToken' && operationId !== 'whoAmI') {
      expect(role).toBeTypeOf('string')
      expect(security[0]).toEqual({ clientCredentials: [role] })
    }
})

test('what goes beyond the contract is marked', () => {
  const extensions = operations
    .filter((operation) => operation['x-muster-extension'])
    .map(({ operationId }) => operationId)

  expect(extensions).toEqual([
    'importPatchCatalog',
    'getPatchCatalogImport',
    'listSoftwareClassGroups',
    'createDepotCredential',
    'deleteDepotCredential',
    'getCatalog',
    'planCatalog',
    'applyCatalog',
    'listAuditEntries',
  ])
})

test('types have the names of the contract', () => {
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

describe('every example matches its schema:', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })

  test.each(operations)('$operationId', ({ requestBody, responses }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))

    for (const { schema, example, examples } of contents) {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
      for (const value of examples ? Object.values(examples).map((one) => one.value) : [example])
        expect(ajv.validate(local, value), ajv.errorsText()).toBe(true)
    }
  })
})

test('the interactive reference is there in development mode only, and loads nothing from elsewhere', async () => {
  const development = await openWorld({ configuration: { mode: 'development' } })
  const page = (world: typeof production) => world.withToken(undefined).send({ method: 'GET', url: '/scalar/v1' })

  const [served, hidden] = [await page(development), await page(production)]

  expect(served.status).toBe(200)
  expect(served.raw).toContain('/openapi/v1.json')
  expect(String(served.raw).match(/src="[^"]*"/g)).toEqual(['src="/scalar/v1/js/scalar.js"'])
  expect(hidden.status).toBe(404)
})
