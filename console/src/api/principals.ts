import { api, type LocalPrincipal, type ProviderPrincipal, type Role, type Versioned, versionOf } from './client.ts'

export type LocalValues = { description: string; roles: Role[]; expiresAtUtc: string | null }
export type ProviderValues = { displayName: string; issuer: string; roles: Role[] }

/** Operations on one principal of any kind. Every change sends the ETag of the version it is based on. */
export type PrincipalResource<Dto, Values> = {
  path: string
  toValues: (dto: Dto) => Values
  load: () => Promise<Versioned<Dto>>
  save: (values: Values, etag: string) => Promise<Versioned<Dto>>
  delete: (etag: string, force: boolean) => Promise<unknown>
}

export const localBody = ({ description, ...values }: LocalValues) => ({
  ...values,
  description: textOrNull(description),
})

export const providerBody = ({ displayName, issuer, roles }: ProviderValues) => ({
  displayName: textOrNull(displayName),
  issuer: textOrNull(issuer),
  roles,
})

export function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

export function localPrincipal(id: number): PrincipalResource<LocalPrincipal, LocalValues> {
  const path = { id }
  return {
    path: `/api/admin/local-principals/${id}`,
    toValues: ({ description, roles, expiresAtUtc }) => ({
      description: description ?? '',
      roles: roles as Role[],
      expiresAtUtc,
    }),
    load: () => versionOf(api.GET('/api/admin/local-principals/{id}', { params: { path } })),
    save: (values, etag) =>
      versionOf(
        api.PUT('/api/admin/local-principals/{id}', {
          params: { path, header: { 'If-Match': etag } },
          body: localBody(values),
        }),
      ),
    delete: (etag, force) =>
      api.DELETE('/api/admin/local-principals/{id}', {
        params: { path, query: { force }, header: { 'If-Match': etag } },
      }),
  }
}

export function setRevoked(id: number, isRevoked: boolean, etag: string): Promise<Versioned<LocalPrincipal>> {
  return versionOf(
    api.PATCH('/api/admin/local-principals/{id}/revoke', {
      params: { path: { id }, header: { 'If-Match': etag } },
      body: { isRevoked },
    }),
  )
}

export function providerPrincipal(id: number): PrincipalResource<ProviderPrincipal, ProviderValues> {
  const path = { id }
  return {
    path: `/api/admin/principals/${id}`,
    toValues: ({ displayName, issuer, roles }) => ({
      displayName: displayName ?? '',
      issuer: issuer ?? '',
      roles: roles as Role[],
    }),
    load: () => versionOf(api.GET('/api/admin/principals/{id}', { params: { path } })),
    save: (values, etag) =>
      versionOf(
        api.PUT('/api/admin/principals/{id}', {
          params: { path, header: { 'If-Match': etag } },
          body: providerBody(values),
        }),
      ),
    delete: (etag, force) =>
      api.DELETE('/api/admin/principals/{id}', { params: { path, query: { force }, header: { 'If-Match': etag } } }),
  }
}
