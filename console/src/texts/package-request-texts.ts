import { dePackageRequests } from './de-package-requests.ts'
import { enPackageRequests } from './en-package-requests.ts'
import { usePageTexts } from './texts.tsx'

export function usePackageRequestTexts(): typeof enPackageRequests {
  return usePageTexts({ en: enPackageRequests, de: dePackageRequests })
}
