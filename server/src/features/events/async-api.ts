import { Components, type OpenApiObject } from '../../platform/openapi/components.ts'
import { roles } from '../../platform/roles.ts'
import { CloudEvent } from './cloud-event.ts'
import type { EventType } from './event-type.ts'
import { eventTypes } from './event-types.ts'
import { StreamEndData, streamEndType } from './stream-end.ts'

/** Builds the AsyncAPI document of all events from their declarations alone. */
export function asyncApiDocument(): OpenApiObject {
  const components = new Components()
  const envelope = components.reference(CloudEvent)
  const messages = Object.fromEntries(
    eventTypes.map((declared) => [String(declared.data.title), toMessage(declared, envelope, components)]),
  )
  messages[String(StreamEndData.title)] = streamEndMessage(components)
  const references = Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }])
  const sent = (channel: string) =>
    references.map(([name]) => ({ $ref: `#/channels/${channel}/messages/${String(name)}` }))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Muster events',
      version: '1.0.0',
      description:
        'What happened in an installation, as CloudEvents 1.0. `x-required-role` names the role that the reader must have. The feed `GET /api/events` returns the same events in pages.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      stream: {
        address: '/api/events/stream',
        title: 'Live events',
        description: 'Server-sent events. The data of each is a message.',
        messages: Object.fromEntries(references),
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        title: 'Send events',
        summary: 'Sends events to everybody who follows the stream.',
        channel: { $ref: '#/channels/stream' },
        messages: sent('stream'),
      },
    },
    components: { messages, schemas: components.schemas },
  }
}

function streamEndMessage(components: Components): OpenApiObject {
  const summary = 'The stream ends because of the right of its reader'
  return {
    name: streamEndType,
    title: String(StreamEndData.title),
    summary,
    description: `${summary}. The last message of a stream; it is not part of the log and has neither a position nor an id of server-sent events.`,
    contentType: 'application/json',
    'x-required-role': 'any valid token',
    payload: {
      type: 'object',
      properties: { type: { const: streamEndType }, data: components.reference(StreamEndData) },
    },
  }
}

function toMessage(declared: EventType, envelope: OpenApiObject, components: Components): OpenApiObject {
  return {
    name: declared.type,
    title: String(declared.data.title),
    summary: declared.summary,
    description: `${declared.summary}. Subject: ${declared.subject}. Required role: ${declared.role} (${roles[declared.role]})`,
    contentType: 'application/json',
    'x-required-role': declared.role,
    payload: {
      allOf: [
        envelope,
        {
          type: 'object',
          properties: { type: { const: declared.type }, data: components.reference(declared.data) },
        },
      ],
    },
  }
}
