import type { AgentPackage } from '../../api/client.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Describes who has signed a package. */
export function useSignatureText() {
  const { signedBy, unknownKey, unsigned } = useTexts().agentPackages
  return (signature: AgentPackage['candidates'][number]['signature']): string => {
    if (!signature) return unsigned
    return signature.trusted ? signedBy(signature.keyId) : unknownKey(signature.keyId)
  }
}
