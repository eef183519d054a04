import type { EnrolmentToken } from '../../api/client.ts'

export const tokensKey = ['enrolment-tokens']

export type TokenState = 'active' | 'usedUp' | 'expired' | 'revoked'

export function tokenState({ revokedAtUtc, expiresAtUtc, maxUses, uses }: EnrolmentToken): TokenState {
  if (revokedAtUtc !== null) return 'revoked'
  if (Date.parse(expiresAtUtc) <= Date.now()) return 'expired'
  return maxUses !== null && uses >= maxUses ? 'usedUp' : 'active'
}
