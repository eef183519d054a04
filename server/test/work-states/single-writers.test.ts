import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')

const filesWith = (pattern: RegExp) =>
  readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && pattern.test(readFileSync(join(source, file), 'utf8')),
  )

test('one file writes distribution events', () => {
  expect(filesWith(/insert into distribution_events|insertInto\('distribution_events'\)/)).toEqual([
    'features/work-states/distribution-events.ts',
  ])
})

test('one file closes work items', () => {
  expect(filesWith(/\bclosed_at (?:= now\(\)|: )|state = '(?:Success|Failed|Cancelled)', closed_at/)).toEqual([
    'features/work-states/close-work.ts',
  ])
})

test('one file lists the states of open work', () => {
  expect(filesWith(/'Due', 'Leased'/)).toEqual(['features/work-states/work-states.ts'])
})
