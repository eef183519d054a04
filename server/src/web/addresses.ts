import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../platform/general-problems.ts'

export const startPage = '/admin/'
const signInPage = '/admin/sign-in'
export const signedOutPage = `${signInPage}?signedOut=1`

/** What the page says about a sign-in that failed. */
export type SignInError =
  | 'AdministratorRequired'
  | 'ProviderRefused'
  | 'ProviderUnavailable'
  | 'SignInExpired'
  | 'TooManyRequests'
  | 'UnknownUser'

export const signInErrorPage = (error: SignInError) => `${signInPage}?error=${error}`

/** The address as the browser knows it, which a provider must know too. */
export function publicAddress({ protocol, host }: FastifyRequest, path: string): URL {
  const address = `${protocol}://${host}${path}`
  if (!URL.canParse(address)) throw invalidRequest({ detail: 'The header Host is not valid.' })
  return new URL(address)
}
