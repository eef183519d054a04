import { useQuery } from '@tanstack/react-query'
import { answerOf, api, type LocalPrincipal, type ProviderPrincipal } from './client.ts'

export type PrincipalKind = 'local' | 'user' | 'client'
export type PrincipalState = 'active' | 'revoked' | 'expired'

/** A principal of any kind, as a row of the list. */
export type PrincipalRow = {
  id: number
  kind: PrincipalKind
  name: string | null
  identifier: string
  issuer: string | null
  roles: string[]
  state: PrincipalState
  isProtected: boolean
  expiresAtUtc: string | null
  lastUsedUtc: string | null
}

export const localPrincipalsKey = ['local-principals']
export const providerPrincipalsKey = ['provider-principals']

export function usePrincipals({ enabled = true }: { enabled?: boolean } = {}) {
  const local = useQuery({
    queryKey: localPrincipalsKey,
    queryFn: () => answerOf(api.GET('/api/admin/local-principals')),
    enabled,
  })
  const ofProviders = useQuery({
    queryKey: providerPrincipalsKey,
    queryFn: () => answerOf(api.GET('/api/admin/principals')),
    enabled,
  })
  return {
    rows: local.data && ofProviders.data && [...local.data.map(localRow), ...ofProviders.data.map(providerRow)],
    error: local.error ?? ofProviders.error,
    isFetching: local.isFetching || ofProviders.isFetching,
    refetch: () => Promise.all([local.refetch(), ofProviders.refetch()]),
  }
}

export function stateOf({ isRevoked, expiresAtUtc }: LocalPrincipal): PrincipalState {
  if (isRevoked) return 'revoked'
  return expiresAtUtc !== null && Date.parse(expiresAtUtc) <= Date.now() ? 'expired' : 'active'
}

function localRow(principal: LocalPrincipal): PrincipalRow {
  return {
    id: principal.id,
    kind: 'local',
    name: principal.description,
    identifier: principal.clientId,
    issuer: null,
    roles: principal.roles,
    state: stateOf(principal),
    isProtected: principal.protected,
    expiresAtUtc: principal.expiresAtUtc,
    lastUsedUtc: principal.lastUsedUtc,
  }
}

function providerRow(principal: ProviderPrincipal): PrincipalRow {
  return {
    id: principal.id,
    kind: principal.subjectType,
    name: principal.displayName,
    identifier: principal.subjectId,
    issuer: principal.issuer,
    roles: principal.roles,
    state: 'active',
    isProtected: principal.protected,
    expiresAtUtc: null,
    lastUsedUtc: principal.lastUsedUtc,
  }
}

export const principalPath = ({ id, kind }: { id: number; kind: PrincipalKind }) =>
  `/admin/principals/${kind === 'local' ? 'local' : 'provider'}/${id}`
