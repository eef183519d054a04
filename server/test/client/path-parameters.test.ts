import { expect, test } from 'vitest'
import { fillPath } from '../../../client/src/path-parameters.ts'

test.each(['..', '.', ''])('%j as a parameter does not lead to the path of another operation', (id) => {
  expect(() => fillPath('/api/computer/{id}/agent', { id })).toThrow('cannot be the id in a path')
})

test('other values are one segment of the path', () => {
  expect(fillPath('/api/computer/{id}', { id: '../a?b' })).toBe('/api/computer/..%2Fa%3Fb')
})
