import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { eventTypes } from '../../src/features/events/event-types.ts'
import type { World } from '../world/open-world.ts'
import { eventsOf as eventsOfChange, type ReadEvent } from './read-log.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const schemas = new Map(eventTypes.map(({ type, data }) => [type, ajv.compile(data)]))

/** Reads the events of changes, each checked against the schema of its type, and collects the types. */
export function checkedEvents(world: World) {
  const seen = new Set<string>()
  return {
    seen,
    async eventsOf(change: () => Promise<unknown>): Promise<ReadEvent[]> {
      const events = await eventsOfChange(world, change)
      for (const { type, data } of events) {
        const check = schemas.get(type)
        expect(check?.(data), `${type} ${JSON.stringify(data)}: ${JSON.stringify(check?.errors)}`).toBe(true)
        seen.add(type)
      }
      return events
    },
  }
}

export const typesOf = (events: readonly ReadEvent[]) => events.map(({ type }) => type.replace('muster.', ''))

export const dataOf = (events: readonly ReadEvent[], type: string) =>
  events.filter((event) => event.type === `muster.${type}`).map(({ data }) => data)
