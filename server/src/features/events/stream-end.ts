import { randomUUID } from 'node:crypto'
import { closed, enumOf, type Static, text } from '../../platform/schema.ts'

/** The last message of a stream that ends because of the right of its reader. It is not part of the log. */
export const streamEndType = 'muster.stream.ended'

export const StreamEndData = closed(
  {
    reason: enumOf(['TokenExpired', 'AccessEnded', 'RolesChanged']),
    message: text(200, 'The roles of the principal have changed. Connect again.', 'For people'),
  },
  { title: 'StreamEnded' },
)

export type StreamEnd = Static<typeof StreamEndData>

export const tokenExpired: StreamEnd = {
  reason: 'TokenExpired',
  message: 'The token or the session has expired. Connect again with a new one.',
}

export const accessEnded: StreamEnd = {
  reason: 'AccessEnded',
  message: 'The principal was revoked or deleted, or has expired, or the session has ended.',
}

export const rolesChanged: StreamEnd = {
  reason: 'RolesChanged',
  message: 'The roles of the principal have changed. Connect again to follow what they allow now.',
}

/** Without an id so that a reader that connects again continues after the last event. */
export function formatStreamEnd(data: StreamEnd, installationId: string, isNamed: boolean): string {
  const message = {
    specversion: '1.0',
    id: randomUUID(),
    source: `urn:uuid:${installationId}`,
    type: streamEndType,
    subject: '/api/events/stream',
    time: new Date(),
    datacontenttype: 'application/json',
    data,
  }
  return `${isNamed ? `event: ${streamEndType}\n` : ''}data: ${JSON.stringify(message)}\n\n`
}
