import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { inParts } from '../../src/database/in-parts.ts'
import { openWorld } from '../world/open-world.ts'

const { db } = await openWorld({ areas: [] })
await sql`create table numbers (number integer primary key check (number % 7 <> 0))`.execute(db)

const insert = (transaction: Database, parts: number[] = []) =>
  async function work(numbers: readonly number[]) {
    parts.push(numbers.length)
    await sql`insert into numbers select unnest(${numbers}::integer[])`.execute(transaction)
  }

const stored = async () =>
  (await sql<{ number: number }>`select number from numbers order by number`.execute(db)).rows.map(
    ({ number }) => number,
  )

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Runs the work in a transaction that is kept, and empties the table again. */
async function kept<T>(work: (transaction: Database) => Promise<T>) {
  const result = await db.transaction().execute(work)
  const numbers = await stored()
  await sql`delete from numbers`.execute(db)
  return { result, numbers }
}

describe('work in parts', () => {
  test('is done once when nothing fails, and not at all for nothing', async () => {
    const parts: number[] = []

    const { result, numbers } = await kept((transaction) => inParts(transaction, upTo(6), insert(transaction, parts)))
    await kept((transaction) => inParts(transaction, [], insert(transaction, parts)))

    expect(result).toEqual([])
    expect(numbers).toEqual(upTo(6))
    expect(parts).toEqual([6])
  })

  test.each([7, 8, 13, 50])('is done for all of %i items but those that fail, which are told', async (count) => {
    const { result, numbers } = await kept((transaction) => inParts(transaction, upTo(count), insert(transaction)))

    const multiples = upTo(count).filter((number) => number % 7 === 0)
    expect(result.map(({ item }) => item)).toEqual(multiples)
    expect(result.every(({ error }) => error instanceof Error)).toBe(true)
    expect(numbers).toEqual(upTo(count).filter((number) => !multiples.includes(number)))
  })

  test('ends with the transaction when the fault is not that of a part', async () => {
    const lost = sql`do $$ begin raise exception 'lost' using errcode = 'serialization_failure'; end $$`
    const faults = [
      () => Promise.reject(new Error('a fault of the program')),
      (transaction: Database) => lost.execute(transaction).then(() => {}),
    ]

    for (const fault of faults)
      await expect(
        db.transaction().execute((transaction) =>
          inParts(transaction, upTo(5), async (numbers) => {
            await insert(transaction)(numbers)
            await fault(transaction)
          }),
        ),
      ).rejects.toThrow(/a fault of the program|lost/)

    expect(await stored()).toEqual([])
  })
})
