import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { exampleContent, hashOf, rowVersions } from './inventory-world.ts'

const { agent, db } = await openAgentWorld()
const disks = [exampleContent('disks')]
const bios = exampleContent('bios')
const current = { disks: hashOf(disks), bios: hashOf(bios) }

type Agent = Awaited<ReturnType<typeof agent>>

function report({ itself }: Agent, section: string, content: object) {
  const head = { hash: hashOf(content), collectedUtc: '2026-03-14T09:00:00Z' }
  const payload = { ...head, ...(Array.isArray(content) ? { items: content } : { item: content }) }
  return itself.send({ method: 'PUT', url: `/agent/v1/inventory/${section}`, payload })
}

/** An agent whose inventory has this age. */
async function agentWithInventory(age: string) {
  const computer = await agent()
  await report(computer, 'disks', disks)
  await report(computer, 'bios', bios)
  await sql`update computers set inventory_at = now() - ${age}::interval where id = ${computer.id}`.execute(db)
  return computer
}

/** Makes contact with these hashes. Returns the sections that the agent must send, ordered by name. */
async function contact(computer: Agent, sections: Record<string, string>) {
  return (await computer.contact({ sections })).body.sections.toSorted()
}

async function ageInHours({ id }: { id: number }): Promise<number> {
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from now() - inventory_at)::float / 3600 as hours from computers where id = ${id}`.execute(db)
  return Math.round(rows[0]?.hours ?? Number.NaN)
}

describe('wanted sections', () => {
  test('a contact is asked for sections whose hash is new or different, and not for unknown sections', async () => {
    const computer = await agentWithInventory('1 hour')
    const changed = { disks: hashOf('other'), printers: hashOf([]), toasters: hashOf('x') }

    const wanted = await contact(computer, { ...current, ...changed })

    expect(wanted).toEqual(['disks', 'printers'])
  })

  test('a contact is asked for nothing when everything is stored, or when the agent has no inventory yet', async () => {
    const computer = await agentWithInventory('1 hour')

    expect(await contact(computer, current)).toEqual([])
    expect(await contact(computer, {})).toEqual([])
  })
})

describe('the date of an inventory', () => {
  test('the date of an inventory moves once for sections that arrive together', async () => {
    const computer = await agent()
    await report(computer, 'disks', disks)
    const { computers: before } = await rowVersions(db)

    await report(computer, 'bios', bios)
    await report(computer, 'printers', [])

    expect((await rowVersions(db)).computers).toBe(before)
  })

  test('the date of an inventory moves with a changed section', async () => {
    const computer = await agentWithInventory('1 hour')

    await report(computer, 'disks', [])

    expect(await ageInHours(computer)).toBe(0)
  })

  test('the date of an inventory moves once a day when a contact or a report confirms what is stored', async () => {
    const [young, confirmed, sent] = [
      await agentWithInventory('23 hours'),
      await agentWithInventory('25 hours'),
      await agentWithInventory('25 hours'),
    ]

    await contact(young, current)
    await report(young, 'disks', disks)
    await contact(confirmed, current)
    await report(sent, 'disks', disks)

    expect(await ageInHours(young)).toBe(23)
    expect(await ageInHours(confirmed)).toBe(0)
    expect(await ageInHours(sent)).toBe(0)
  })

  test('the date of an inventory stays when it has changed, is not reported, or never arrived', async () => {
    const [changed, silent, never] = [
      await agentWithInventory('25 hours'),
      await agentWithInventory('25 hours'),
      await agent(),
    ]

    await contact(changed, { ...current, disks: hashOf('other') })
    await contact(silent, {})
    await contact(never, current)

    expect(await ageInHours(changed)).toBe(25)
    expect(await ageInHours(silent)).toBe(25)
    expect(await ageInHours(never)).toBeNaN()
  })

  test('a contact that confirms an inventory within a day writes no inventory row', async () => {
    const computer = await agentWithInventory('2 hours')
    const before = await rowVersions(db)

    await contact(computer, current)

    expect(await rowVersions(db)).toEqual(before)
  })
})
