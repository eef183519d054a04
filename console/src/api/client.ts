import createClient from 'openapi-fetch'
import { sendInSession } from './session.ts'
import type { components, paths } from './types.ts'

/** The API client, typed by the OpenAPI document. A failed call throws a `Problem`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sendInSession })

export type Schemas = components['schemas']
export type LocalPrincipal = Schemas['LocalPrincipalDto']
export type PrincipalSecret = Schemas['PrincipalSecret']
export type ProviderPrincipal = Schemas['PrincipalDto']
export type Role = Schemas['Role']
export type AuditEntry = Schemas['AuditEntry']
export type EnrolmentToken = Schemas['EnrolmentToken']
export type CreatedEnrolmentToken = Schemas['CreatedEnrolmentToken']
export type QuarantinedAgent = Schemas['QuarantinedAgent']

type Answer<T> = { data?: T; response: Response }

/** A resource with its ETag, by which the service detects changes made since it was read. */
export type Versioned<T> = { value: T; etag: string }

export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data } = await call
  return data as T
}

export async function versionOf<T>(call: Promise<Answer<T>>): Promise<Versioned<T>> {
  const { data, response } = await call
  return { value: data as T, etag: response.headers.get('etag') ?? '' }
}

/** An idempotency key: it makes a POST safe to repeat after a lost response. */
export function newIdempotencyKey(): string {
  // Browsers offer randomUUID only over TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
