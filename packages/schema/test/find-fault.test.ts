import { expect, test } from 'vitest'
import {
  closed,
  enumOf,
  findFault,
  ignoredKeyword,
  instantKeyword,
  nameText,
  parseInstant,
  Type,
  text,
} from '../src/index.ts'

const Person = closed({
  name: text(10, 'Ada'),
  kind: Type.Optional(enumOf(['Human', 'Robot'])),
  born: Type.Optional(Type.Unsafe<Date>({ type: 'string', format: 'date-time', [instantKeyword]: true })),
  tags: Type.Optional(Type.Array(closed({ label: Type.String({ minLength: 1 }) }))),
  comment: Type.Optional(Type.Unsafe<unknown>({ [ignoredKeyword]: true })),
  retries: Type.Optional(Type.Integer({ default: 3 })),
})

test.each([
  [{}, 'name', 'is required'],
  [{ name: 1 }, 'name', 'must be string'],
  [{ name: 'much too long' }, 'name', 'must NOT have more than 10 characters'],
  [{ name: 'Ada', nmae: '' }, 'nmae', 'is an unknown property'],
  [{ name: 'Ada', kind: 'Cat' }, 'kind', 'must be one of Human, Robot'],
  [{ name: 'Ada', tags: [{ label: 'a' }, { label: '' }] }, 'tags.1.label', 'must NOT have fewer than 1 characters'],
  [{ name: 'Ada', born: 'yesterday' }, 'born', 'must be an ISO 8601 date-time'],
  [[], '', 'must be object'],
])('%j is refused: %s %s', (value, name, reason) => {
  expect(findFault(Person, value, 'json')).toEqual({ name, reason })
})

test('a valid value gets defaults, declared spellings and Dates, and loses what is ignored', () => {
  const value = { name: 'Ada', kind: 'hUMAN', born: '1815-12-10T00:00:00', comment: { any: ['thing'] } }

  expect(findFault(Person, value, 'json')).toBeUndefined()
  expect(value).toEqual({ name: 'Ada', kind: 'Human', born: new Date('1815-12-10T00:00:00Z'), retries: 3 })
})

test('a name gets its one form before its length is checked, and is never blank', () => {
  const Named = closed({ name: nameText(4, 'Ada') })
  const value = { name: '\u00a0 Re\u0301\r\n\tx \u0085' }

  expect(findFault(Named, value, 'json')).toBeUndefined()
  expect(value.name).toBe('R\u00e9 x')
  for (const name of ['', ' ', '\u3000\n\u0085'])
    expect(findFault(Named, { name }, 'json')).toMatchObject({ name: 'name' })
})

test('only parameters are converted from text', () => {
  const Page = closed({ top: Type.Integer() })
  const AsParameters = closed({ top: Type.Integer() })
  const parameters = { top: '5' }

  expect(findFault(Page, { top: '5' }, 'json')).toEqual({ name: 'top', reason: 'must be integer' })
  expect(findFault(AsParameters, parameters, 'parameters')).toBeUndefined()
  expect(parameters).toEqual({ top: 5 })
  expect(findFault(AsParameters, { top: '5', x: '' }, 'parameters')).toEqual({ name: 'x', reason: 'is unknown' })
})

test('a time without an offset is in UTC, and years of five digits are refused', () => {
  expect(parseInstant('2026-03-14 09:26:53')).toEqual(new Date('2026-03-14T09:26:53Z'))
  expect(parseInstant('2026-03-14T09:26:53+02:00')).toEqual(new Date('2026-03-14T07:26:53Z'))
  expect(parseInstant('0000-03-14T09:26:53Z')).toBeUndefined()
  expect(parseInstant('2026-02-30T09:26:53Z')).toBeUndefined()
})
