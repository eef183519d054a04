import type { Services } from '../../../platform/services.ts'
import { requireTypePatterns } from '../../events/visible-types.ts'
import { AddressRefused, requireWebhookAddress } from '../webhook-address.ts'
import { webhookAddressRefused } from './problems.ts'

type Checked = { url?: string | null | undefined; types?: readonly string[] | null | undefined }

/** Throws if the address or a type can never be right. Names are resolved when something is sent. */
export function checkWebhook({ configuration }: Services, { url, types }: Checked): void {
  requireTypePatterns('body', types ?? [])
  if (typeof url !== 'string') return
  try {
    requireWebhookAddress(url, configuration)
  } catch (error) {
    if (error instanceof AddressRefused) throw webhookAddressRefused({ reason: error.message })
    throw error
  }
}
