import type { Answer } from '../actions/dry-run.ts'
import type { RequestOptions } from '../actions/reviewed-action.ts'
import { api, type Role } from './client.ts'
import { localBody, localPrincipal, providerBody, providerPrincipal } from './principals.ts'
import type { Session } from './session.ts'

type OwnPrincipal = {
  etag: string
  setRoles: (roles: Role[], options: RequestOptions) => Promise<Answer<{ roles: string[] }>>
}

/** The principal of the session, and how it gets other roles. Everything else about it stays as it is. */
export async function loadOwnPrincipal({ id, kind }: Session['principal']): Promise<OwnPrincipal> {
  const path = { id }
  if (kind === 'local') {
    const { load, toValues } = localPrincipal(id)
    const { value, etag } = await load()
    return {
      etag,
      setRoles: (roles, { uncounted: query, headers }) =>
        api.PUT('/api/admin/local-principals/{id}', {
          params: { path, query, header: headers },
          body: localBody({ ...toValues(value), roles }),
        }),
    }
  }
  const { load, toValues } = providerPrincipal(id)
  const { value, etag } = await load()
  return {
    etag,
    setRoles: (roles, { uncounted: query, headers }) =>
      api.PUT('/api/admin/principals/{id}', {
        params: { path, query, header: headers },
        body: providerBody({ ...toValues(value), roles }),
      }),
  }
}
