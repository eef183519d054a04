import {
  type Configuration,
  type DeviceAuthorizationResponse,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'openid-client'
import type { Terminal } from '../terminal.ts'
import type { ProviderRequest } from './provider-choice.ts'

/** Requests a code for the device flow (RFC 8628). Undefined if the provider does not offer it, or not to this client. */
export async function requestDeviceCode(
  provider: Configuration,
  { scope, parameters }: ProviderRequest,
): Promise<DeviceAuthorizationResponse | undefined> {
  if (!provider.serverMetadata().device_authorization_endpoint) return undefined
  return initiateDeviceAuthorization(provider, { scope, ...parameters }).catch((error: unknown) => {
    if (error instanceof ResponseBodyError) return undefined
    throw error
  })
}

/** Signs in with the code, which the person enters on any device. Works without a browser on this computer. */
export async function signInWithDevice(
  terminal: Terminal,
  provider: Configuration,
  code: DeviceAuthorizationResponse,
  { parameters }: ProviderRequest,
): Promise<TokenEndpointResponse> {
  terminal.note(`Go to ${code.verification_uri} on any device and enter the code ${code.user_code}\n`)
  if (code.verification_uri_complete) terminal.openBrowser(code.verification_uri_complete)
  return pollDeviceAuthorizationGrant(provider, code, parameters, { signal: terminal.signal })
}
