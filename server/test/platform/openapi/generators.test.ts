import { describe, expect, test } from 'vitest'
import { sections } from '../../../src/features/index.ts'
import { apiChannel } from '../../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../../src/platform/openapi/document.ts'

type Parameter = { name: string; in: string }
type Operation = { operationId: string; parameters?: (Parameter | { $ref: string })[] }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, unknown> }
}

const document = openApiDocument(apiChannel(sections)) as unknown as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** The name as Python writes it. PowerShell and file names do not distinguish case. */
const toSnakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W/g, '_')
    .toLowerCase()

/** What may have any value: older clients send it and it is ignored, or it is a property of a manifest, whichever that is. */
const anyValue = [
  'schemas.ComputerPatchRequest.description',
  'schemas.ComputerWriteRequest.description',
  'schemas.ProposedManifestLine.value',
]

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

describe('a generated client', () => {
  test('has one function for each operation, with a name that Python and PowerShell accept', () => {
    const names = operations.map(({ operationId }) => operationId)

    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([])
    expect(repeated(names.map(toSnakeCase))).toEqual([])
  })

  test('has one class for each schema', () => {
    const names = Object.keys(document.components.schemas)

    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([])
    expect(repeated(names.map((name) => name.toLowerCase()))).toEqual([])
  })

  test.each(operations)('has a different name for each parameter of $operationId', ({ parameters = [] }) => {
    const names = parameters.map((one) =>
      '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? '']?.name : one.name,
    )

    expect(repeated(names.map((name) => toSnakeCase(name ?? '')))).toEqual([])
  })

  test('knows the type of every value: no schema is empty, and none is one of several objects', () => {
    const faults = schemasIn(document.components.schemas, 'schemas').flatMap(([path, schema]) => [
      ...['oneOf', 'not', 'if', 'nullable'].filter((word) => word in schema).map((word) => `${path} has ${word}`),
      ...(Object.keys(schema).every((word) => ['description', 'examples', 'default'].includes(word)) ? [path] : []),
    ])

    expect(faults).toEqual(anyValue)
  })
})

type Schema = Record<string, unknown>

/** All schemas within these, with their paths. */
function schemasIn(named: object, path: string): [path: string, schema: Schema][] {
  return Object.entries(named).flatMap(([name, schema]) => inner(schema as Schema, `${path}.${name}`))
}

function inner(schema: Schema | boolean, path: string): [string, Schema][] {
  if (typeof schema !== 'object') return []
  const { properties = {}, patternProperties = {}, items, additionalProperties, anyOf = [], allOf = [] } = schema
  return [
    [path, schema],
    ...schemasIn(properties as object, path),
    ...schemasIn(patternProperties as object, path),
    ...schemasIn({ ...(anyOf as object[]) }, `${path}.anyOf`),
    ...schemasIn({ ...(allOf as object[]) }, `${path}.allOf`),
    ...inner((items ?? false) as Schema | boolean, `${path}[]`),
    ...inner((additionalProperties ?? false) as Schema | boolean, `${path}{}`),
  ]
}
