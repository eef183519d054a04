import type { AnyOperation, ApiSection } from '../operation.ts'
import { roles } from '../roles.ts'
import type { JsonObject } from './components.ts'

/** A part of the interface with callers of its own kind, and so with a document of its own. */
export type Channel = {
  /** Where the document is served. */
  address: `/openapi/${string}.json`
  title: string
  summary: string
  introduction: string
  sections: readonly ApiSection[]
  securitySchemes: Record<string, JsonObject>
  /** What opens the operation; one of them is enough. */
  security(operation: AnyOperation): JsonObject[]
}

/** The API itself: people and programs with access tokens. */
export function apiChannel(sections: readonly ApiSection[]): Channel {
  return {
    address: '/openapi/v1.json',
    title: 'Muster',
    summary: 'Endpoint management over a fleet of computers',
    introduction: [
      'Every request needs an access token, except where an operation says otherwise. `x-required-role` names the role that',
      'its principal must have; no role includes another.',
      'Errors are problems after RFC 9457 with a `code` for programs and a `message` for people.',
      'Every change can be tried with `dryRun=true`.',
    ].join('\n'),
    sections,
    securitySchemes: {
      clientCredentials: {
        type: 'oauth2',
        description: 'Client id and secret of a local principal. The scopes are the roles of the principal.',
        flows: { clientCredentials: { tokenUrl: '/api/auth/token', scopes: roles } },
      },
      bearerToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'An access token of this service, or of an identity provider of its configuration.',
      },
    },
    security: ({ role }) => {
      if (role === 'no token') return []
      return [{ clientCredentials: role === 'any valid token' ? [] : [role] }, { bearerToken: [] }]
    },
  }
}

export type MachineChannel = Pick<Channel, 'address' | 'title' | 'summary' | 'sections'> & {
  /** What the credential is and where machines get it. */
  credential: string
}

/** A channel for machines that call with a credential of their own. */
export function machineChannel({ credential, ...channel }: MachineChannel): Channel {
  return {
    ...channel,
    introduction: [
      'Access tokens of the API are of no use here, and the credentials of this channel open nothing else.',
      'Errors are problems after RFC 9457 with a `code` for programs and a `message` for people.',
    ].join('\n'),
    securitySchemes: { credential: { type: 'http', scheme: 'bearer', description: credential } },
    security: ({ role }) => (role === 'no token' ? [] : [{ credential: [] }]),
  }
}
