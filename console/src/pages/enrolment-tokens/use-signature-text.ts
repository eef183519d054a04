import type { AgentPackage } from '../../api/client.ts'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'

/** Describes who has signed a package. */
export function useSignatureText() {
  const { signedBy, unknownKey, unsigned } = useEnrolmentTexts().agentPackages
  return (signature: AgentPackage['candidates'][number]['signature']): string => {
    if (!signature) return unsigned
    return signature.trusted ? signedBy(signature.keyId) : unknownKey(signature.keyId)
  }
}
