import { eventTypes } from './event-types.ts'

/** Where the AsyncAPI document is served. */
export const asyncApiPath = '/asyncapi/v1.json'

const names = new Map(eventTypes.map(({ type, data }) => [type, String(data.title)]))

/** The name of the schema of an event's data. A type of a newer version, which shares the database, has none yet. */
export function schemaNameOf(type: string): string {
  return names.get(type) ?? 'Unknown'
}
