import { deWebhooks } from './de-webhooks.ts'
import { enWebhooks } from './en-webhooks.ts'
import { usePageTexts } from './texts.tsx'

export function useWebhookTexts(): typeof enWebhooks {
  return usePageTexts({ en: enWebhooks, de: deWebhooks })
}
