import { describe, expect, test } from 'vitest'
import { findBreaks } from '../../../tools/released-api/compare-documents.ts'
import type { ApiDocument, DescribedOperation, Schema } from '../../../tools/released-api/documents.ts'

const options = { today: '2026-11-19' }

type Things = {
  operation?: Partial<DescribedOperation>
  request?: Schema
  answer?: Schema
  schemas?: Record<string, Schema>
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

/** A description with one operation. */
function describing({ operation, request, answer = { type: 'object' }, schemas = {} }: Things): ApiDocument {
  const described: DescribedOperation = {
    operationId: 'updateThing',
    'x-required-role': 'thing.write',
    security: [{ bearerToken: [] }],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    ...(request && { requestBody: { required: true, content: json(request) } }),
    responses: {
      200: { headers: { ETag: {} }, content: json(answer) },
      404: { 'x-problem-codes': ['ThingNotFound'] },
    },
    ...operation,
  }
  return { paths: { '/api/thing/{id}': { put: described } }, components: { schemas } }
}

const breaksOf = (before: Things, after: Things) => findBreaks(describing(before), describing(after), options)

const object = (properties: Record<string, Schema>, required: string[] = [], more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
})
const text: Schema = { type: 'string' }

const label = 'updateThing (PUT /api/thing/{id})'
const request = `${label}: its request`
const answer = `${label}: its answer 200`

describe('what a program sends', () => {
  test.each<[string, Schema, Schema, string]>([
    ['a removed property', object({ name: text }), object({}), `${request} no longer has the property name.`],
    [
      'a new required property',
      object({}),
      object({ name: text }, ['name']),
      `${request} requires the property name now.`,
    ],
    [
      'a property that becomes required',
      object({ name: text }),
      object({ name: text }, ['name']),
      `${request} requires the property name now.`,
    ],
    [
      'a narrower type',
      object({ size: { type: ['integer', 'null'] } }),
      object({ size: { type: 'integer' } }),
      `${request} property size no longer takes null.`,
    ],
    [
      'an integer instead of a number',
      object({ size: { type: 'number' } }),
      object({ size: { type: 'integer' } }),
      `${request} property size no longer takes a number.`,
    ],
    [
      'a value that an enumeration has lost',
      object({ kind: { enum: ['A', 'B'] } }),
      object({ kind: { enum: ['A'] } }),
      `${request} property kind no longer takes the value "B".`,
    ],
    [
      'a text that becomes an enumeration',
      object({ kind: text }),
      object({ kind: { type: 'string', enum: ['A'] } }),
      `${request} property kind takes only the values "A" now.`,
    ],
    [
      'a lower maximum',
      object({ name: { type: 'string', maxLength: 100 } }),
      object({ name: { type: 'string', maxLength: 50 } }),
      `${request} property name has a narrower limit: maxLength is 50 instead of 100.`,
    ],
    [
      'a new minimum',
      object({ size: { type: 'integer' } }),
      object({ size: { type: 'integer', minimum: 1 } }),
      `${request} property size has a narrower limit: minimum is 1 instead of unlimited.`,
    ],
    [
      'a new pattern',
      object({ name: text }),
      object({ name: { type: 'string', pattern: '^a' } }),
      `${request} property name must match the pattern ^a, which differs from before.`,
    ],
    [
      'a form that is gone',
      object({ value: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
      object({ value: { anyOf: [{ type: 'string' }] } }),
      `${request} property value no longer takes the form integer.`,
    ],
    [
      'an item of a list',
      object({ names: { type: 'array', items: text } }),
      object({ names: { type: 'array', items: { type: 'integer' } } }),
      `${request} property names item no longer takes a text.`,
    ],
    [
      'an open object that becomes closed',
      { type: 'object', additionalProperties: true },
      object({}),
      `${request} refuses properties that it does not know now.`,
    ],
  ])('%s breaks it', (_, before, after, sentence) => {
    expect(breaksOf({ request: before }, { request: after })).toEqual([sentence])
  })

  test.each<[string, Schema, Schema]>([
    ['a new optional property', object({}), object({ name: text })],
    ['a new required property with a default', object({}), object({ name: { ...text, default: 'A' } }, ['name'])],
    ['a further value of an enumeration', object({ kind: { enum: ['A'] } }), object({ kind: { enum: ['A', 'B'] } })],
    ['a further type', object({ size: { type: 'integer' } }), object({ size: { type: ['integer', 'null'] } })],
    ['a number instead of an integer', object({ size: { type: 'integer' } }), object({ size: { type: 'number' } })],
    ['a property that becomes optional', object({ name: text }, ['name']), object({ name: text })],
    ['a wider limit', object({ name: { maxLength: 5 } }), object({ name: { maxLength: 9 } })],
  ])('%s does not break it', (_, before, after) => {
    expect(breaksOf({ request: before }, { request: after })).toEqual([])
  })
})

describe('what a program reads', () => {
  test.each<[string, Schema, Schema, string]>([
    ['a removed property', object({ name: text }), object({}), `${answer} no longer has the property name.`],
    [
      'a property that becomes optional',
      object({ name: text }, ['name']),
      object({ name: text }),
      `${answer} does not always have the property name any more.`,
    ],
    [
      'a value that can be null',
      object({ name: text }),
      object({ name: { type: ['string', 'null'] } }),
      `${answer} property name can be null, and could not before.`,
    ],
    [
      'a further value of an enumeration',
      object({ kind: { enum: ['A'] } }),
      object({ kind: { enum: ['A', 'B'] } }),
      `${answer} property kind can have the value "B", which readers do not know.`,
    ],
    [
      'an enumeration that becomes a text',
      object({ kind: { type: 'string', enum: ['A'] } }),
      object({ kind: text }),
      `${answer} property kind had the values "A" only, and can have others now.`,
    ],
    [
      'another format',
      object({ at: { type: 'string', format: 'date-time' } }),
      object({ at: { type: 'string', format: 'date' } }),
      `${answer} property at has the format date instead of date-time.`,
    ],
    [
      'a further form',
      object({ value: { anyOf: [{ type: 'string' }] } }),
      object({ value: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
      `${answer} property value can have the form integer, which readers do not know.`,
    ],
  ])('%s breaks it', (_, before, after, sentence) => {
    expect(breaksOf({ answer: before }, { answer: after })).toEqual([sentence])
  })

  test.each<[string, Schema, Schema]>([
    ['a further property', object({}), object({ name: text })],
    ['an optional property that becomes required', object({ name: text }), object({ name: text }, ['name'])],
    ['a value that an enumeration has lost', object({ kind: { enum: ['A', 'B'] } }), object({ kind: { enum: ['A'] } })],
    ['a value that is never null any more', object({ a: { type: ['string', 'null'] } }), object({ a: text })],
  ])('%s does not break it', (_, before, after) => {
    expect(breaksOf({ answer: before }, { answer: after })).toEqual([])
  })

  test('a named schema is compared once for requests and once for answers, even if it contains itself', () => {
    const tree = (properties: Record<string, Schema>): Things => ({
      schemas: {
        Tree: object({ ...properties, parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
      },
      request: { $ref: '#/components/schemas/Tree' },
      answer: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    })

    expect(breaksOf(tree({ name: text }), tree({}))).toEqual([
      'Tree, in requests, no longer has the property name.',
      'Tree, in answers, no longer has the property name.',
    ])
  })
})

describe('an operation', () => {
  const role = 'x-required-role'
  test.each<[string, Partial<DescribedOperation>, Partial<DescribedOperation>, string]>([
    ['another operationId', {}, { operationId: 'changeThing' }, `${label} has another operationId: changeThing.`],
    ['another role', {}, { [role]: 'admin.manage' }, `${label} requires the role admin.manage now.`],
    ['a further role', {}, { 'x-also-required-roles': ['group.write'] }, `${label} requires the role group.write now.`],
    ['a token', { security: [] }, {}, `${label} requires a token now.`],
    [
      'a parameter that is gone',
      { parameters: [{ name: 'top', in: 'query', schema: { type: 'integer' } }] },
      { parameters: [] },
      `${label} no longer has the query parameter top.`,
    ],
    [
      'a parameter that is required',
      {},
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'reason', in: 'query', required: true, schema: text },
        ],
      },
      `${label} requires the query parameter reason now.`,
    ],
    [
      'another status',
      {},
      { responses: { 202: {}, 404: { 'x-problem-codes': ['ThingNotFound'] } } },
      `${label} no longer answers with the status 200.`,
    ],
    [
      'another status of a problem',
      {},
      {
        responses: {
          200: { headers: { ETag: {} }, content: json({ type: 'object' }) },
          410: { 'x-problem-codes': ['ThingNotFound'] },
        },
      },
      `${label} answers with the status 410 for ThingNotFound, and not 404.`,
    ],
    [
      'a header that is gone',
      {},
      { responses: { 200: { content: json({ type: 'object' }) }, 404: { 'x-problem-codes': ['ThingNotFound'] } } },
      `${label} no longer has the header ETag in its answer 200.`,
    ],
  ])('%s breaks callers', (_, before, after, sentence) => {
    expect(breaksOf({ operation: before }, { operation: after })).toContain(sentence)
  })

  test('that is removed breaks callers, unless it was deprecated and its last day is over', () => {
    const empty: ApiDocument = { paths: {}, components: {} }
    const removed = (operation: Partial<DescribedOperation>) => findBreaks(describing({ operation }), empty, options)

    expect(removed({})).toEqual([`${label} was removed.`])
    expect(removed({ deprecated: true })).toEqual([`${label} was removed.`])
    expect(removed({ deprecated: true, 'x-sunset': '2026-11-20' })).toEqual([`${label} was removed.`])
    expect(removed({ deprecated: true, 'x-sunset': '2026-11-19' })).toEqual([])
  })

  test('that calls its path parameter by another name, or has further problems, breaks nobody', () => {
    const renamed: ApiDocument = describing({
      operation: {
        parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: { headers: { ETag: {} }, content: json({ type: 'object' }) },
          404: { 'x-problem-codes': ['ThingNotFound'] },
          409: { 'x-problem-codes': ['ThingInUse'] },
        },
      },
    })
    const [methods] = Object.values(renamed.paths)

    expect(
      findBreaks(describing({}), { ...renamed, paths: { '/api/thing/{thingId}': methods ?? {} } }, options),
    ).toEqual([])
  })
})
