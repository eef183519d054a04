import createClient from 'openapi-fetch'
import { sendInSession } from './session.ts'
import type { components, paths } from './types.ts'

/** The API, typed by its own description. A call that does not succeed throws a `Problem`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sendInSession })

type Schemas = components['schemas']
export type LocalPrincipal = Schemas['LocalPrincipalDto']
export type ProviderPrincipal = Schemas['PrincipalDto']
export type Role = Schemas['Role']
export type AuditEntry = Schemas['AuditEntry']
export type EnrolmentToken = Schemas['EnrolmentToken']

type Answer<T> = { data?: T; response: Response }

/** A resource with the tag by which the service tells whether it has changed since. */
export type Versioned<T> = { value: T; etag: string }

export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data } = await call
  return data as T
}

export async function versionOf<T>(call: Promise<Answer<T>>): Promise<Versioned<T>> {
  const { data, response } = await call
  return { value: data as T, etag: response.headers.get('etag') ?? '' }
}

/** Makes a POST safe to repeat while nobody knows whether it has arrived. */
export function newIdempotencyKey(): string {
  // Not randomUUID, which browsers only have under TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
