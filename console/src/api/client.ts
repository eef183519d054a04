import { type components, createMusterClient } from '@muster/client'
import { sendInSession } from './session.ts'

export { type Answer, answerOf, newIdempotencyKey, type Versioned, versionOf } from '@muster/client'

/**
 * The client of the API in the session of the browser. Queries are repeated by the cache, which also shows it. The browser has
 * loaded the page itself from this address, with or without TLS.
 */
export const api = createMusterClient({
  address: location.origin,
  send: sendInSession,
  insecure: location.protocol === 'http:',
  retry: false,
})

export type Schemas = components['schemas']
export type LocalPrincipal = Schemas['LocalPrincipalDto']
export type PrincipalSecret = Schemas['PrincipalSecret']
export type ProviderPrincipal = Schemas['PrincipalDto']
export type Role = Schemas['Role']
export type AuditEntry = Schemas['AuditEntry']
export type EnrolmentToken = Schemas['EnrolmentToken']
export type CreatedEnrolmentToken = Schemas['CreatedEnrolmentToken']
export type QuarantinedAgent = Schemas['QuarantinedAgent']
export type DuplicateUuid = Schemas['DuplicateUuid']
export type AgentPackage = Schemas['AgentPackage']
