import { expect, test } from 'vitest'
import { sumOfEach } from '../../src/jobs/sum-of-each.ts'

test('a subject that fails does not keep the others waiting, and its error is not lost', async () => {
  const done: number[] = []
  const run = async (subject: number) => {
    if (subject === 1) throw new Error('locked')
    done.push(subject)
    return subject
  }

  await expect(sumOfEach([1, 2, 3], run)).rejects.toThrow('locked')
  expect(done).toEqual([2, 3])
  expect(await sumOfEach([2, 3], run)).toBe(5)
})
