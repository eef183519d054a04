import { Type } from '../schema.ts'
import { invalidPart } from '../validation.ts'

/** How many computers the caller expects a change to affect, and by how many the real number may differ. */
export type ExpectedCount = { count: number; tolerance: number }

/** The query parameters of every mass action. They are extensions of the contract. */
export const expectedCountParameters = {
  expectedCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      format: 'int32',
      examples: [120],
      description:
        'How many computers the change is expected to affect. If it would affect another number, the answer is 409 with ' +
        'the real number, and nothing is changed.',
    }),
  ),
  expectedCountTolerance: Type.Optional(
    Type.String({
      pattern: '^(\\d{1,9}|\\d{1,3}%)$',
      examples: ['5%'],
      description:
        'By how much the real number may differ from `expectedCount` in both directions: a number of computers, or a ' +
        'percentage of `expectedCount` (`5%`), rounded down. Default: 0.',
    }),
  ),
}

type Query = { expectedCount?: number; expectedCountTolerance?: string }

/** Undefined if the request expects nothing. */
export function parseExpectedCount(query: Query): ExpectedCount | undefined {
  const { expectedCount: count, expectedCountTolerance: tolerance = '0' } = query
  if (count !== undefined) return { count, tolerance: toComputers(tolerance, count) }
  if (query.expectedCountTolerance === undefined) return undefined
  throw invalidPart('query', 'expectedCountTolerance', 'requires expectedCount')
}

/** The tolerance as a number of computers; a percentage is a part of `count`. */
function toComputers(tolerance: string, count: number): number {
  return tolerance.endsWith('%') ? Math.floor((count * Number.parseInt(tolerance, 10)) / 100) : Number(tolerance)
}

export function isExpected({ count, tolerance }: ExpectedCount, actualCount: number): boolean {
  return Math.abs(actualCount - count) <= tolerance
}
