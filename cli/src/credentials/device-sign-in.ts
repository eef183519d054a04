import { visibleLine } from '@muster/text'
import {
  type Configuration,
  type DeviceAuthorizationResponse,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'openid-client'
import type { Terminal } from '../terminal.ts'
import { openPage, parsePage } from './open-page.ts'
import type { ProviderRequest } from './provider-choice.ts'

/** A provider must neither make this command ask without a pause nor wait forever. */
const [minIntervalSeconds, maxIntervalSeconds] = [1, 60]
const maxWaitSeconds = 1_800

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
  const page = parsePage(code.verification_uri)
  const complete = code.verification_uri_complete && parsePage(code.verification_uri_complete)
  terminal.note(`Go to ${visibleLine(page)} on any device and enter the code ${visibleLine(code.user_code)}\n`)
  if (complete) openPage(terminal, complete)
  const interval = clamp(code.interval ?? 5, minIntervalSeconds, maxIntervalSeconds)
  const waitSeconds = clamp(code.expires_in, 1, maxWaitSeconds)
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(waitSeconds * 1_000)])
  return pollDeviceAuthorizationGrant(provider, { ...code, interval }, parameters, { signal })
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))
