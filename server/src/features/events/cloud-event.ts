import type { LoggedEvent } from '../../platform/event-hub.ts'
import { closed, Instant, type Static, Traceparent, Type, text } from '../../platform/schema.ts'
import { asyncApiPath, schemaNameOf } from './schema-names.ts'

/** Where a reader is in the log. A text, because CloudEvents knows no integers of this size. */
export const EventPosition = Type.String({
  pattern: '^\\d{1,16}$',
  examples: ['1042'],
  description: 'A position in the event log',
})

export const CloudEvent = closed(
  {
    specversion: Type.Literal('1.0', { examples: ['1.0'] }),
    id: text(20, '1042', 'Unique together with `source`. Equal to the position.'),
    source: text(100, 'urn:uuid:3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'The installation'),
    type: text(100, 'muster.computer.enrolled'),
    subject: text(500, '/api/computer/17', 'Path of the resource that the event is about'),
    time: { ...Instant, description: 'When the transaction began that made the change' },
    datacontenttype: Type.Literal('application/json', { examples: ['application/json'] }),
    dataschema: text(200, `${asyncApiPath}#/components/schemas/ComputerEnrolled`, 'The schema of `data`'),
    position: EventPosition,
    traceparent: Type.Optional(Traceparent),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [{ computers: 1, computerId: 17, computerName: 'PC-0017' }],
      description: 'Depends on the type',
    }),
  },
  { title: 'CloudEvent', description: 'An event in the JSON format of CloudEvents 1.0' },
)

export type CloudEventValue = Static<typeof CloudEvent>

export function toCloudEvent(event: LoggedEvent, installationId: string): CloudEventValue {
  const position = String(event.position)
  return {
    specversion: '1.0',
    id: position,
    source: `urn:uuid:${installationId}`,
    type: event.type,
    subject: event.subject,
    time: event.occurred_at,
    datacontenttype: 'application/json',
    dataschema: `${asyncApiPath}#/components/schemas/${schemaNameOf(event.type)}`,
    position,
    ...(event.traceparent && { traceparent: event.traceparent }),
    data: event.data,
  }
}
