import { readableCause } from '@muster/text'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { failureCauseOf, toFailureCause } from '../../src/features/deployments/failures/failure-causes.ts'
import { copyOfTemplate } from '../world/test-database.ts'

const { db } = await copyOfTemplate()

const causesInSql = async (outputs: readonly string[]) => {
  const { rows } = await sql<{ cause: string }>`
    select ${failureCauseOf(sql`output`)} as cause
    from unnest(${outputs}::text[]) with ordinality as failed (output, place) order by place`.execute(db)
  return rows.map(({ cause }) => cause)
}

test.for([
  ['Unpacking…\nE: Cannot open /var/cache/apt/x_1.2.deb\n\n', 'E: cannot open /tmp/y/z.deb '],
  ['Error 0x80070643 in C:\\Windows\\Temp\\a1.log', 'error 0X1f in "D:\\Logs\\b.log"'],
  ['Could not connect to depot1.corp.example.org:8443', 'could not connect to other-depot.example.com:1'],
  ['Process 4711 ended at 2026-03-14T09:26:53.123', 'process 9 ended at 2025-01-02T10:00:00.9'],
  ['GET https://a.example/x?id=1 failed', 'GET http://b.example/ failed'],
  [
    'Product {3F0C9A52-7C1E-4F0A-9D55-0B8F6F8C1B11} is missing',
    'product {00000000-0000-0000-0000-000000000001} is missing',
  ],
])(
  'outputs that differ only in paths, numbers, addresses or names of hosts have one cause: %s',
  ([one = '', other = '']) => {
    expect(toFailureCause(one)).toBe(toFailureCause(other))
    expect(toFailureCause(one)).not.toBe('')
    // What people read has no placeholders.
    expect(toFailureCause(one)).toContain('<')
    expect(readableCause(toFailureCause(one))).not.toMatch(/<|>/)
  },
)

test('the cause is in the last line that has text, and other reasons are other causes', () => {
  expect(toFailureCause('Reading 12 files\r\nNo space left on device\r\n \n')).toBe('no space left on device')
  expect(toFailureCause('Disk 1 is full')).not.toBe(toFailureCause('Disk 1 is missing'))
  expect(toFailureCause(' \n')).toBe('')
})

test('the database finds the same causes as the service', async () => {
  const part = fc.constantFrom(
    ...[
      '/var/log/a b.log',
      'C:\\a\\b.txt',
      '\\\\server\\share\\x',
      '0x1F',
      '12.5',
      'deadbeef99',
      'abc123',
      ' ',
      '  ',
      '\t',
      '\n',
    ],
    ...[
      'host.example.org',
      'a.b.com/x',
      'https://x.y/z?a=1',
      '"',
      '’',
      ':',
      '-',
      '=',
      '(',
      ')',
      'é',
      'Error',
      'code',
      '.',
      '_',
    ],
    ...['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', '~/x', '\r\n', 'x'.repeat(190)],
  )
  const output = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  )

  await fc.assert(
    fc.asyncProperty(fc.array(output, { minLength: 50, maxLength: 50 }), async (outputs) => {
      const texts = outputs.map((text) => text.replaceAll('\0', ''))
      expect(await causesInSql(texts)).toEqual(texts.map(toFailureCause))
    }),
    { numRuns: 20 },
  )
})
