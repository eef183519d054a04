import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inventorySections } from '../../../src/features/inventory/sections/index.ts'
import { hostileTexts } from '../../faults/hostile-values.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { db, post } = await openFusionWorld()

/** Keeps only some packages so that most damage hits something else. */
const shorten = (report: string) =>
  report.replaceAll(/ {4}<(SOFTWARES|PROCESSES)>[\s\S]*?<\/\1>\n/g, (whole, _name, at: number) =>
    at % 37 === 0 ? whole : '',
  )

/** These agents report all sections except services. */
const reportedSections = inventorySections.length - 1

async function countStoredSections(name: string): Promise<number | undefined> {
  const { rows } = await sql<{ sections: number }>`
    select (select count(*) from inventory_sections where computer_id = d.computer_id) as sections
    from fusion_devices d where device_id = ${deviceIdOf(name)}`.execute(db)
  return rows[0]?.sections
}

const damage = fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.string({ unit: 'binary', maxLength: 10 }))

test('a damaged inventory is stored completely or not at all, and never makes the service fail', async () => {
  const recorded = shorten(samples.fusionInventory)
  let number = 0

  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
      const name = `damaged-${number++}`
      const whole = fromComputer(recorded, name)
      const damaged = damages.reduce((text, [at, length, inserted]) => {
        const start = at % text.length
        return text.slice(0, start) + inserted + text.slice(start + length)
      }, whole)

      const { status } = await post(damaged)

      expect(status).toBeLessThan(500)
      // When the damage has hit the device id, another device is stored.
      expect([0, reportedSections, undefined]).toContain(await countStoredSections(name))
    }),
    { numRuns: 60 },
  )

  expect((await post(fromComputer(samples.prolog, 'afterwards'))).status).toBe(200)
})

/** The value with all texts and numbers replaced, but for a few entries of each list. */
function withTexts(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map((item) => withTexts(item, text))
  if (typeof value !== 'object' || value === null) return text
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, text)]))
}

const datesOutOfRange = ['1/1/99999', '+099999-01-01', '0000-01-01 00:00:00', '-000001-01-01T00:00:00Z', '99999999999']

test.each(
  [...hostileTexts, ...datesOutOfRange].map((text, at) => ({ text, at, shown: JSON.stringify(text).slice(0, 30) })),
)('an inventory whose values are all $shown is stored', async ({ text, at }) => {
  const name = `hostile-${at}`
  const { content, ...message } = JSON.parse(fromComputer(samples.full, name))
  const { networks } = content
  const hostile = withTexts(content, text) as { hardware: object }
  const identity = { name, uuid: randomUUID() }
  const { status } = await post(
    JSON.stringify({
      ...message,
      content: {
        ...hostile,
        hardware: { ...hostile.hardware, winlang: text, ...identity },
        networks,
        antivirus: [{ name: text, enabled: text, base_creation: text }],
        operatingsystem: { boot_time: text, timezone: { offset: text } },
      },
    }),
  )

  expect([status, await countStoredSections(name)]).toEqual([200, reportedSections])
})
