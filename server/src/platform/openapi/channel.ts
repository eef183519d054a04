import type { AnyOperation, ApiSection } from '../operation.ts'
import { roles } from '../roles.ts'
import type { OpenApiObject } from './components.ts'

/** A part of the interface for one kind of callers, described by its own OpenAPI document. */
export type DocumentedChannel = {
  /** The path of the document. */
  address: `/openapi/${string}.json`
  title: string
  summary: string
  introduction: string
  sections: readonly ApiSection[]
  securitySchemes: Record<string, OpenApiObject>
  /** The security requirements of the operation. Any one of them is sufficient. */
  security(operation: AnyOperation): OpenApiObject[]
}

/** The API for people and programs with access tokens. */
export function apiChannel(sections: readonly ApiSection[]): DocumentedChannel {
  return {
    address: '/openapi/v1.json',
    title: 'Muster',
    summary: 'Endpoint management over a fleet of computers',
    introduction: [
      'Every request requires an access token, unless the operation says otherwise. `x-required-role` names the role that',
      'the principal must have; no role includes another.',
      'Errors are problem details (RFC 9457) with a `code` for programs and a `message` for people.',
      'Every change that requires a token can be tried out with `dryRun=true`.',
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
        description: 'An access token of this service or of a configured identity provider.',
      },
    },
    security: ({ role }) => {
      if (role === 'no token') return []
      return [{ clientCredentials: role === 'any valid token' ? [] : [role] }, { bearerToken: [] }]
    },
  }
}

export type MachineChannel = Pick<DocumentedChannel, 'address' | 'title' | 'summary' | 'sections'> & {
  /** What the credential is and how machines get it. */
  credential: string
}

/** A channel for machines that call with their own credential. */
export function machineChannel({ credential, ...channel }: MachineChannel): DocumentedChannel {
  return {
    ...channel,
    introduction: [
      'This channel does not accept access tokens of the API, and its credentials are not valid for anything else.',
      'Errors are problem details (RFC 9457) with a `code` for programs and a `message` for people.',
    ].join('\n'),
    securitySchemes: { credential: { type: 'http', scheme: 'bearer', description: credential } },
    security: ({ role }) => (role === 'no token' ? [] : [{ credential: [] }]),
  }
}
