import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inventorySections } from '../../../src/features/inventory/sections/index.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { db, post } = await openFusionWorld()

const packages = (report: string) =>
  report.replaceAll(/ {4}<(SOFTWARES|PROCESSES)>[\s\S]*?<\/\1>\n/g, (whole, _name, at: number) =>
    at % 37 === 0 ? whole : '',
  )

/** Of all sections; services are none that these agents tell. */
const all = inventorySections.length - 1

async function storedSections(name: string): Promise<number | undefined> {
  const { rows } = await sql<{ sections: number }>`
    select (select count(*) from inventory_sections where computer_id = d.computer_id) as sections
    from fusion_devices d where device_id = ${deviceIdOf(name)}`.execute(db)
  return rows[0]?.sections
}

const damage = fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.string({ unit: 'binary', maxLength: 10 }))

test('a damaged inventory is stored as a whole or not at all, and is never a failure of the service', async () => {
  const recorded = packages(samples.fusionInventory)
  let number = 0

  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
      const name = `damaged-${number++}`
      const whole = fromComputer(recorded, name)
      const damaged = damages.reduce((text, [at, length, oddity]) => {
        const place = at % text.length
        return text.slice(0, place) + oddity + text.slice(place + length)
      }, whole)

      const { status } = await post(damaged)

      expect(status).toBeLessThan(500)
      // Where the damage has hit the id, it is another device that is stored.
      expect([0, all, undefined]).toContain(await storedSections(name))
    }),
    { numRuns: 60 },
  )

  expect((await post(fromComputer(samples.prolog, 'afterwards'))).status).toBe(200)
})
